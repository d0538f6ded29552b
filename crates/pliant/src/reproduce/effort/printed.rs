//! The operation counts that the documents print, as formulas.

/// Multiplications and additions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// Products.
    pub multiplications: f64,
    /// Sums and differences; where the text of a formula is cut, there are none.
    pub additions: Option<f64>,
}

impl Printed {
    fn new(multiplications: f64, additions: f64) -> Self {
        Self { multiplications, additions: Some(additions) }
    }
}

/// King, section 2.8: inverse dynamics of `n` links, all flexible, with `m` modes each. The
/// constants are 93 and 91; the text has points before them.
pub fn king_inverse(n: usize, m: usize) -> Printed {
    let (n, m) = (n as f64, m as f64);
    Printed::new(
        32.0 * n * m * m + 105.0 * n * m + 300.0 * n - 93.0,
        35.0 * n * m * m + 49.0 * n * m + 244.0 * n - 91.0,
    )
}

/// King, section 2.8: the inertia matrix. The formula of the additions is cut in the text, and only
/// the total of 8,064 for `n = 6`, `m = 3` says that they are 3,919 there.
pub fn king_mass(n: usize, m: usize) -> Printed {
    let known = (n == 6 && m == 3).then_some(3919.0);
    let (n, m) = (n as f64, m as f64);
    let (n2, m2) = (n * n, m * m);
    let multiplications =
        3.0 * n2 * m2 + n * m2 + 16.5 * n2 * m + 13.5 * n2 - 2.5 * m2 + 43.5 * n * m + 118.5 * n
            - 65.5 * m
            - 95.0;
    Printed { multiplications, additions: known }
}

/// Inertia matrix and right-hand side of `n` rigid links as King counts them in section 2.8, who
/// prints no formula: 137 n - 22 products for the forces and 12 n² + 56 n - 27 for the matrix,
/// which Walker (1982) gives, make both of his numbers. His 11,495 is `n = 24`.
pub fn king_rigid(n: usize) -> Printed {
    let n = n as f64;
    let (forces, mass) = (137.0 * n - 22.0, 12.0 * n * n + 56.0 * n - 27.0);
    Printed { multiplications: forces + mass, additions: None }
}

/// Inertia matrix and right-hand side of `f` flexible links with `m` modes each and `r` rigid ones
/// as King counts them in section 2.8: as if they were two arms, without the entries of the matrix
/// that couple them. His 3,190 is `f = 2`, `r = 4`, `m = 3`.
pub fn king_mixed(f: usize, r: usize, m: usize) -> Printed {
    let parts = [king_inverse(f, m), king_mass(f, m), king_rigid(r)];
    let multiplications = parts.iter().map(|part| part.multiplications).sum();
    Printed { multiplications, additions: None }
}

/// Korayem, table 2: inertia matrix and right-hand side of `n` links, `f` of them flexible with `m`
/// modes each. The totals beside it are those of `m = 2`, not 3, and its last "M" is an A.
pub fn korayem(n: usize, f: usize, m: usize) -> Printed {
    let (n, f, m) = (n as f64, f as f64, m as f64);
    let (f2, m2) = (f * f, m * m);
    Printed::new(
        -15.0 * m - 790.5 * n
            + 6.0 * m * f
            + 475.5 * n * n
            + 18.0 * m2
            + 42.0 * m2 * f2
            + 30.0 * m * f2
            - 60.0 * m2 * f
            + 300.0,
        6.0 * m - 553.0 * n - 49.5 * m * f
            + 351.0 * n * n
            + 18.0 * m2
            + 53.5 * m2 * f2
            + 52.5 * m * f2
            - 89.5 * m2 * f
            + 188.0,
    )
}

/// Korayem, table 1: the multiplications of step 1 to 10, with `f` for `n` in the last.
pub fn korayem_step(step: usize, n: usize, f: usize, m: usize) -> Option<f64> {
    let (n, f, m) = (n as f64, f as f64, m as f64);
    Some(match step {
        1 => 15.0 * n - 15.0,
        2 => 60.0 * n - 60.0,
        3 => 66.0 * n - 27.0,
        4 => 24.0 * n - 24.0,
        5 => 21.0 * f * m,
        6 => 15.0 * m * f - 15.0 * m,
        7 => 13.5 * n * n - 40.5 * n + 27.0,
        8 => 4.5 * n * n - 13.5 * n + 9.0,
        9 => 390.0 - 901.5 * n + 457.5 * n * n,
        10 => {
            30.0 * m * f * f - 30.0 * m * f - 60.0 * m * m * f + 18.0 * m * m + 42.0 * m * m * f * f
        }
        _ => return None,
    })
}

/// Book's recursive Lagrangian, inertia matrix and right-hand side, as Korayem, table 2, and King,
/// section 2.8, quote it: his 34,593 and 33,653 are `n = 6`, `m = 3`.
pub fn book(n: usize, f: usize, m: usize) -> Printed {
    let (n, f, m) = (n as f64, f as f64, m as f64);
    let (f2, m2) = (f * f, m * m);
    Printed::new(
        279.0 * n
            + 118.0 * m * f2
            + 17.5 * m2 * f
            + 137.5 * m * f
            + 84.0 * n * n
            + 74.0 * n * f * m
            + 6.0 * m2 * f2
            - 57.0
            + 86.0 * n * f
            + 126.0 * f,
        329.0 * n
            + 115.5 * m * f2
            + 19.0 * m2 * f
            + 123.0 * m * f
            + 85.0 * n * n
            + 68.0 * n * f * m
            + 6.5 * m2 * f2
            - 91.0
            + 80.0 * n * f
            + 111.0 * f,
    )
}

/// King, table 1.1: inverse dynamics of a rigid arm of six turning joints. The text has lost digits
/// of the multiplications; they are read with Hollerbach, whom the table adapts.
pub const RIGID_SIX: [(&str, u32, u32); 3] = [
    ("original Lagrangian, rigid, King, table 1.1", 66_271, 51_548),
    ("recursive Lagrangian, rigid, King, table 1.1", 2195, 1719),
    ("Newton-Euler, rigid, King, table 1.1", 852, 738),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// The totals that the documents print beside their formulas.
    #[test]
    fn formulas_give_the_printed_totals() {
        let numbers = |p: Printed| (p.multiplications, p.additions.unwrap_or(f64::NAN));
        assert_eq!(numbers(korayem(6, 6, 2)), (19_557.0, 18_332.0));
        assert_eq!(numbers(korayem(3, 2, 2)), (2706.0, 2134.0));
        assert_eq!(numbers(korayem(6, 6, 3)), (26_508.0, 26_966.0));
        assert_eq!(numbers(book(6, 6, 2)), (25_251.0, 24_569.0));
        assert_eq!(numbers(book(3, 2, 2)), (4922.0, 4851.0));
        assert_eq!(numbers(book(6, 6, 3)), (34_593.0, 33_653.0));
        assert_eq!(book(6, 2, 3).multiplications, 11_361.0);
        let ([a, b], [c, d]) = {
            let both = [king_inverse(6, 3), king_mass(6, 3)].map(numbers);
            (both.map(|x| x.0), both.map(|x| x.1))
        };
        assert_eq!((a + b, c + d), (9799.0, 8064.0));
        let steps: f64 = (1..=10).filter_map(|step| korayem_step(step, 6, 6, 2)).sum();
        assert_eq!(steps, 19_557.0);
        assert_eq!(king_mixed(2, 4, 3).multiplications, 3190.0);
        assert_eq!(king_rigid(24).multiplications, 11_495.0);
    }
}
