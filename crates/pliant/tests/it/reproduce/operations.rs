//! Operations of all algorithms, and of Gibbs-Appell step by step against Korayem's table.

use pliant::arm::{Arm, BuildError};
use pliant::reproduce::effort::{
    CountedQuantity, chain, chain_with_rigid_ends, chains, gibbs_appell_steps, operations, printed,
};
use pliant::reproduce::recurrence::Evaluation;
use pliant::reproduce::{Algorithm, Rotation};

const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::Recursive,
    Algorithm::Composite,
    Algorithm::Articulated,
    Algorithm::GibbsAppell(Rotation::Exact),
    Algorithm::Recurrence(Evaluation::InTurn),
];

/// Korayem, table 1, steps 3 to 8 and 10, at six links of two modes each.
#[test]
fn gibbs_appell_takes_what_the_paper_prints() {
    let arm = chain(&[2; 6]).expect("a good arm");
    let steps = gibbs_appell_steps(&arm).expect("a chain");
    for step in [3, 4, 5, 6, 7, 8, 10] {
        let printed = printed::korayem_step(step, 6, 6, 2).expect("a step of the table");
        assert_eq!(steps[step].multiplications as f64, printed, "step {step}");
    }
    // the additions of its lines, those that vanish left out, and 18 m² of table 2 at the end
    let additions = [303, 120, 204, 138, 180, 90, 8805];
    for (step, want) in [3, 4, 5, 6, 7, 8, 10].into_iter().zip(additions) {
        assert_eq!(steps[step].additions, want, "step {step}");
    }
    // the other steps differ for reasons that `pliant bench --operations` gives
    let rest = [0, 1, 2, 9].map(|step| (steps[step].multiplications, steps[step].additions));
    assert_eq!(
        rest,
        [(2344, 2188), (135, 90), (339, 311), (11_316, 8240)],
        "Gibbs-Appell takes other operations than before; if that is meant, write the new counts \
         here and say why in the commit"
    );
}

/// The steps' counts follow table 1 for other chains of flexible links too.
#[test]
fn and_so_for_other_chains() {
    for (n, m) in [(2, 1), (3, 2), (4, 3), (8, 1)] {
        let arm = chain(&vec![m; n]).expect("a good arm");
        let steps = gibbs_appell_steps(&arm).expect("a chain");
        for step in [3, 4, 5, 6, 7, 8, 10] {
            let printed = printed::korayem_step(step, n, n, m).expect("a step of the table");
            assert_eq!(steps[step].multiplications as f64, printed, "step {step}, {n} links");
        }
    }
}

/// Every algorithm and quantity: multiplications and additions.
fn table(modes: &[usize]) -> [[(u64, u64); 4]; 5] {
    let arm = chain(modes).expect("a good arm");
    let of = |algorithm: Algorithm| {
        CountedQuantity::ALL.map(|quantity| {
            let counts = operations(&arm, algorithm, quantity).expect("a chain");
            (counts.multiplications, counts.additions)
        })
    };
    ALGORITHMS.map(of)
}

const CHANGED: &str = "a algorithm takes other operations than before; if that is meant, write the new \
                       counts here and say why in the commit";

#[test]
fn six_rigid_links() {
    // recursive, composite, articulated, Gibbs-Appell, recurrence
    let known = [
        [(672, 576), (4032, 3462), (4704, 4038), (4790, 4109)],
        [(672, 576), (936, 800), (1608, 1376), (1694, 1447)],
        [(672, 576), (936, 800), (1608, 1376), (2052, 1797)],
        [(12_747, 9727), (11_883, 8951), (12_711, 9691), (12_797, 9762)],
        [(1368, 1104), (1409, 1172), (2777, 2276), (2863, 2347)],
    ];
    assert_eq!(table(&[0; 6]), known, "{CHANGED}");
}

#[test]
fn six_flexible_links_of_two_coordinates() {
    // recursive, composite, articulated, Gibbs-Appell, recurrence
    let known = [
        [(4232, 3714), (75_312, 66_006), (79_544, 69_720), (80_990, 71_013)],
        [(4232, 3714), (4474, 3840), (8706, 7554), (10_152, 8847)],
        [(4232, 3714), (4474, 3840), (8706, 7554), (9110, 8148)],
        [(22_754, 21_388), (21_200, 19_988), (22_430, 21_064), (23_876, 22_357)],
        [(5009, 4353), (5550, 5041), (10_559, 9394), (12_005, 10_687)],
    ];
    assert_eq!(table(&[2; 6]), known, "{CHANGED}");
}

#[test]
fn three_links_two_of_them_flexible() {
    // recursive, composite, articulated, Gibbs-Appell, recurrence
    let known = [
        [(1636, 1428), (11_340, 9891), (12_976, 11_319), (13_102, 11_424)],
        [(1636, 1428), (1547, 1329), (3183, 2757), (3309, 2862)],
        [(1636, 1428), (1547, 1329), (3183, 2757), (3541, 3152)],
        [(4395, 4041), (3842, 3552), (4346, 3992), (4472, 4097)],
        [(1939, 1654), (1831, 1579), (3770, 3233), (3896, 3338)],
    ];
    assert_eq!(table(&[2, 2, 0]), known, "{CHANGED}");
}

/// Korayem's other order: the rigid link first.
#[test]
fn a_rigid_link_before_two_flexible_ones() {
    // recursive, composite, articulated, Gibbs-Appell, recurrence
    let known = [
        [(1260, 1110), (8708, 7665), (9968, 8775), (10_094, 8880)],
        [(1260, 1110), (1209, 1039), (2469, 2149), (2595, 2254)],
        [(1260, 1110), (1209, 1039), (2469, 2149), (2757, 2459)],
        [(3716, 3114), (3193, 2649), (3667, 3065), (3793, 3170)],
        [(1680, 1453), (1610, 1401), (3290, 2854), (3416, 2959)],
    ];
    assert_eq!(table(&[0, 2, 2]), known, "{CHANGED}");
    // table 1 where it does not take all links for flexible ones
    for modes in [&[0, 2, 2][..], &[0, 0, 3, 3]] {
        let steps = gibbs_appell_steps(&chain(modes).expect("a good arm")).expect("a chain");
        let [n, m] = [modes.len(), modes[modes.len() - 1]];
        for step in 3..=8 {
            let printed = printed::korayem_step(step, n, 2, m).expect("a step of the table");
            assert_eq!(steps[step].multiplications as f64, printed, "step {step} of {modes:?}");
        }
    }
}

/// The recurrences in turn are linear in the number of links; Gibbs-Appell is not.
#[test]
fn inverse_dynamics_by_recurrences_are_linear() {
    let total = |links: usize| {
        let arm = chain(&vec![2; links]).expect("a good arm");
        let algorithm = Algorithm::Recurrence(Evaluation::InTurn);
        let counts =
            operations(&arm, algorithm, CountedQuantity::InverseDynamics).expect("a chain");
        counts.multiplications + counts.additions
    };
    let (short, long) = (total(32), total(64));
    assert!(long * 10 <= short * 21, "64 links take {long}, 32 links {short}");
}

/// Forward dynamics through the mass matrix against articulated bodies: the numbers of links from
/// which on the latter takes fewer operations, for rigid links and for 2 and 6 coordinates each.
#[test]
fn articulated_bodies_overtake_composite_ones() {
    let from = |of: fn(&[usize]) -> Result<Arm, BuildError>, modes: usize| {
        let behind = |links: &usize| {
            let arm = of(&vec![modes; *links]).expect("a good arm");
            let [composite, articulated] =
                [Algorithm::Composite, Algorithm::Articulated].map(|algorithm| {
                    let counts = operations(&arm, algorithm, CountedQuantity::ForwardDynamics)
                        .expect("any arm");
                    counts.multiplications + counts.additions
                });
            articulated >= composite
        };
        (1..30).rfind(behind).map_or(1, |links| links + 1)
    };
    assert_eq!([0, 2, 6].map(|modes| from(chain, modes)), [16, 4, 2], "{CHANGED}");
    let between = [1, 2, 3, 6].map(|modes| from(chain_with_rigid_ends, modes));
    assert_eq!(between, [11, 6, 4, 2], "{CHANGED}");
}

/// Rigid bodies at the ends of its links make a chain heavier, and give it no more coordinates. That at
/// a tip is a body of its own.
#[test]
fn links_have_rigid_bodies_at_their_ends() {
    let modes = [2, 0, 3];
    let [plain, with_ends] = [chain(&modes), chain_with_rigid_ends(&modes)].map(|arm| {
        let arm = arm.expect("a good arm");
        (arm.nv(), arm.body_count(), arm.total_mass())
    });
    assert_eq!((plain.0, plain.1 + 2), (with_ends.0, with_ends.1));
    assert!((with_ends.2 - plain.2 - 2.0 * (0.7 + 0.5)).abs() < 1e-12, "{plain:?} {with_ends:?}");
}

/// King, section 5.4: by doubling the time of an evaluation is of the order of the logarithm of the
/// number of links, in turn of that number, and for one link, which waits for nobody, it is the same.
#[test]
fn recurrences_take_the_logarithm_of_the_number_of_links() {
    for quantity in [CountedQuantity::InverseDynamics, CountedQuantity::Mass] {
        let time = |how, links: usize| {
            let arm = chain(&vec![3; links]).expect("a good arm");
            let chains = chains(&arm, Algorithm::Recurrence(how), quantity).expect("a chain");
            assert!(chains.multiplications + chains.additions >= chains.operations / 2);
            assert!(chains.multiplications.max(chains.additions) <= chains.operations);
            chains.operations
        };
        let [turn, double] = [Evaluation::InTurn, Evaluation::Doubling]
            .map(|how| [1, 16, 32, 64].map(|links| time(how, links)));
        assert_eq!(turn[0], double[0], "{quantity:?}");
        // a level more for each doubling, a link more for each link
        assert_eq!(double[3] - double[2], double[2] - double[1], "{double:?}");
        assert_eq!(turn[3] - turn[2], 2 * (turn[2] - turn[1]), "{turn:?}");
        assert!(2 * double[3] < turn[3], "{double:?} {turn:?}");
    }
}

/// The longest chain is no longer than all operations one after the other, and that of inverse dynamics by
/// the recursion grows by as much for every link.
#[test]
fn a_recursion_takes_the_number_of_links() {
    let time = |links: usize| {
        let arm = chain(&vec![3; links]).expect("a good arm");
        let by = Algorithm::Recursive;
        let all = operations(&arm, by, CountedQuantity::InverseDynamics).expect("a chain");
        let chains = chains(&arm, by, CountedQuantity::InverseDynamics).expect("a chain");
        assert!(chains.operations < all.multiplications + all.additions);
        chains.operations
    };
    let [a, b, c] = [16, 32, 64].map(time);
    assert_eq!(c - b, 2 * (b - a));
}
