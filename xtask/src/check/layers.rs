//! Modules that build on each other in one direction.
//!
//! The `mod` lines of `lib.rs` are the order; a module uses itself and those above it. Looked at
//! are paths from the root of the crate (`crate::x`, `crate::{x, y}`), paths that leave their
//! module by `super`, and names that `lib.rs` re-exports. Code under `#[cfg(test)]` is exempt.

use super::{Finding, rust_source::RustSource};

type Tokens<'a> = [(usize, &'a str)];

/// The top-level modules in the order of `lib.rs`.
pub(super) fn order(root: &str, sources: &[&RustSource]) -> Vec<String> {
    let Some(lib) = find_lib(root, sources) else {
        return Vec::new();
    };
    let tokens = without_tests(&lib.tokens()).0;
    let at_top = at_depth_zero(&tokens);
    (0..tokens.len())
        .filter(|&i| at_top[i] && tokens[i].1 == "mod")
        .filter_map(|i| tokens.get(i + 1).map(|token| token.1.to_owned()))
        .collect()
}

/// Every use of a module by one that stands above it.
pub(super) fn check(root: &str, sources: &[&RustSource]) -> Vec<Finding> {
    let order = order(root, sources);
    let exported = find_lib(root, sources).map_or_else(Vec::new, |lib| re_exports(lib, &order));
    let test_modules: Vec<Vec<String>> = sources
        .iter()
        .flat_map(|source| {
            let here = module_path(root, &source.path);
            let names = without_tests(&source.tokens()).1;
            names.into_iter().map(move |name| [here.clone(), vec![name]].concat())
        })
        .collect();

    let mut findings = Vec::new();
    for source in sources {
        let here = module_path(root, &source.path);
        let Some(own) = here.first().and_then(|top| position(&order, top)) else {
            continue; // lib.rs, which may use everything
        };
        if test_modules.iter().any(|module| here.starts_with(module)) {
            continue;
        }
        let tokens = without_tests(&source.tokens()).0;
        for reach in reaches(&tokens, here.len()) {
            let name = reach.name;
            let module = exported.iter().find(|(leaf, _)| leaf == name);
            let target = position(&order, module.map_or(name, |(_, module)| module));
            if name != "*" && target.is_none_or(|target| target <= own) {
                continue;
            }
            let module_name = &order[own];
            let of = module.map_or_else(String::new, |(_, of)| format!(", which is of `{of}`"));
            findings.push(Finding::error(
                &source.path,
                reach.line,
                format!("`{module_name}` uses `{}`{of}", reach.path),
                match &order[..own] {
                    [] => format!("`{module_name}` is the first module and uses no other"),
                    above => format!(
                        "`{module_name}` uses only the modules above it: {}",
                        above.join(", ")
                    ),
                },
            ));
        }
    }
    findings
}

fn find_lib<'a>(root: &str, sources: &[&'a RustSource]) -> Option<&'a RustSource> {
    let path = format!("{root}lib.rs");
    sources.iter().copied().find(|source| source.path == path)
}

fn position(order: &[String], name: &str) -> Option<usize> {
    order.iter().position(|module| module == name)
}

/// `["arm", "joint"]` for `arm/joint.rs`; empty for `lib.rs`.
fn module_path(root: &str, path: &str) -> Vec<String> {
    let inner = path.strip_prefix(root).unwrap_or(path);
    let mut names: Vec<String> =
        inner.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if names.last().is_some_and(|last| last == "mod" || last == "lib") {
        names.pop();
    }
    names
}

/// Which tokens stand outside of all braces.
fn at_depth_zero(tokens: &Tokens) -> Vec<bool> {
    let mut depth = 0_usize;
    let mut outside = Vec::with_capacity(tokens.len());
    for (_, token) in tokens {
        if *token == "}" {
            depth = depth.saturating_sub(1);
        }
        outside.push(depth == 0);
        depth += usize::from(*token == "{");
    }
    outside
}

/// The names that `lib.rs` lifts to the root, each with the module it comes from.
fn re_exports(lib: &RustSource, order: &[String]) -> Vec<(String, String)> {
    let tokens = without_tests(&lib.tokens()).0;
    let words: Vec<&str> = tokens.iter().map(|token| token.1).collect();
    let mut exported = Vec::new();
    for statement in words.split(|word| *word == ";") {
        let Some(at) = statement.iter().position(|word| *word == "use") else {
            continue;
        };
        let path: Vec<&str> = statement[at + 1..]
            .iter()
            .copied()
            .skip_while(|word| matches!(*word, "crate" | "self" | "::"))
            .collect();
        let Some(module) = path.first().filter(|first| position(order, first).is_some()) else {
            continue;
        };
        for (i, word) in path.iter().enumerate().skip(1) {
            let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let is_leaf = matches!(path.get(i + 1).copied(), None | Some("," | "}"));
            if is_name && is_leaf {
                exported.push(((*word).to_owned(), (*module).to_owned()));
            }
        }
    }
    exported
}

/// The tokens without items under `#[cfg(test)]`, and the names of test modules in other files.
fn without_tests<'a>(tokens: &Tokens<'a>) -> (Vec<(usize, &'a str)>, Vec<String>) {
    const ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut modules = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let here = &tokens[i..];
        if here.len() > 7 && here.iter().zip(ATTRIBUTE).all(|(token, word)| token.1 == word) {
            let start = i + ATTRIBUTE.len();
            i = end_of_item(tokens, start);
            let item: Vec<&str> = tokens[start..i].iter().map(|token| token.1).collect();
            if let [.., "mod", name, ";"] = item[..] {
                modules.push(name.to_owned());
            }
        } else {
            kept.push(tokens[i]);
            i += 1;
        }
    }
    (kept, modules)
}

/// One past the item that starts here: its semicolon, or the brace that closes it.
fn end_of_item(tokens: &Tokens, start: usize) -> usize {
    let mut depth = 0_usize;
    for (i, (_, token)) in tokens.iter().enumerate().skip(start) {
        match *token {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" if depth == 0 => return i,
            "}" if depth == 1 => return i + 1,
            "}" | ")" | "]" => depth -= 1,
            ";" if depth == 0 => return i + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// A path that goes through the root of the crate.
struct Reach<'a> {
    line: usize,
    /// The first name below the root, or `*`.
    name: &'a str,
    /// The path as a reader would say it.
    path: String,
}

/// All paths that go through the root, in a file whose module lies `depth` below it.
fn reaches<'a>(tokens: &Tokens<'a>, depth: usize) -> Vec<Reach<'a>> {
    let mut found = Vec::new();
    let mut braces: Vec<bool> = Vec::new(); // true where a brace opens an inline module
    for (i, (_, token)) in tokens.iter().enumerate() {
        let followed = tokens.get(i + 1).is_some_and(|next| next.1 == "::");
        let continued = i > 0 && tokens[i - 1].1 == "::";
        let inline = braces.iter().filter(|opens_module| **opens_module).count();
        match *token {
            "{" => braces.push(i > 1 && tokens[i - 2].1 == "mod"),
            "}" => drop(braces.pop()),
            "crate" if followed => follow(tokens, i + 2, 0, &mut found),
            "super" if followed && !continued => follow(tokens, i, depth + inline, &mut found),
            _ => {}
        }
    }
    found
}

/// Follows a path from a module `depth` below the root; through groups too.
fn follow<'a>(tokens: &Tokens<'a>, i: usize, depth: usize, found: &mut Vec<Reach<'a>>) {
    let Some(&(line, token)) = tokens.get(i) else {
        return;
    };
    match token {
        "super" => follow(tokens, i + 2, depth.saturating_sub(1), found),
        "{" => {
            let mut level = 0_usize;
            for (j, (_, inner)) in tokens.iter().enumerate().skip(i) {
                match *inner {
                    "{" => level += 1,
                    "}" => level -= 1,
                    _ => {}
                }
                if level == 0 {
                    break;
                }
                if level == 1 && matches!(*inner, "{" | ",") {
                    follow(tokens, j + 1, depth, found);
                }
            }
        }
        "}" | "self" => {}
        name if depth == 0 => {
            let rest = tokens[i + 1..].chunks_exact(2);
            let rest = rest.take_while(|pair| pair[0].1 == "::" && !matches!(pair[1].1, "{" | "<"));
            let path = rest.fold(format!("crate::{name}"), |path, pair| path + "::" + pair[1].1);
            found.push(Reach { line, name, path });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{RustSource, check, order};

    const LIB: &str = "//! Map.\npub mod scalar;\npub mod spatial;\nmod arm;\n\
        pub use arm::{Arm, joint::Joint as Hinge};\n#[cfg(test)]\nmod testing;\n";

    /// Findings as `file:line what`.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let mut sources = vec![RustSource::new("src/lib.rs", LIB)];
        for (path, text) in files {
            sources.push(RustSource::new(&format!("src/{path}"), text));
        }
        let sources: Vec<&RustSource> = sources.iter().collect();
        let findings = check("src/", &sources);
        findings.iter().map(|f| format!("{}:{} {}", f.path, f.line, f.seen)).collect()
    }

    #[test]
    fn the_order_is_that_of_lib() {
        let lib = RustSource::new("src/lib.rs", LIB);
        assert_eq!(order("src/", &[&lib]), ["scalar", "spatial", "arm"]);
    }

    #[test]
    fn upwards_is_fine() {
        let text = "use crate::scalar::Scalar;\nuse crate::{scalar, spatial::Pose, arm};\n\
            use super::tree;\nuse super::super::spatial;\nfn f(x: crate::Arm) {}";
        assert!(found(&[("arm/joint.rs", text)]).is_empty());
    }

    #[test]
    fn downwards_is_found() {
        let seen = found(&[("spatial/pose.rs", "\nuse crate::arm::joint::Joint;\n")]);
        assert_eq!(seen, ["src/spatial/pose.rs:2 `spatial` uses `crate::arm::joint::Joint`"]);
    }

    #[test]
    fn downwards_in_a_group_is_found() {
        let text = "use crate::{\n    scalar::{Real, Scalar},\n    arm::Tree,\n};\n";
        assert_eq!(
            found(&[("spatial.rs", text)]),
            ["src/spatial.rs:3 `spatial` uses `crate::arm::Tree`"]
        );
    }

    #[test]
    fn downwards_in_a_body_is_found() {
        let seen = found(&[("scalar/mod.rs", "fn f() {\n    crate::spatial::f::<u8>();\n}\n")]);
        assert_eq!(seen, ["src/scalar/mod.rs:2 `scalar` uses `crate::spatial::f`"]);
    }

    #[test]
    fn leaving_by_super_is_found() {
        let seen = found(&[
            ("scalar/dual.rs", "use super::super::arm::Arm;\nuse super::arm;"),
            ("scalar.rs", "use super::{arm, scalar};\nmod inner { use super::super::arm; }"),
        ]);
        assert_eq!(
            seen,
            [
                "src/scalar/dual.rs:1 `scalar` uses `crate::arm::Arm`",
                "src/scalar.rs:1 `scalar` uses `crate::arm`",
                "src/scalar.rs:2 `scalar` uses `crate::arm`"
            ]
        );
    }

    #[test]
    fn a_name_of_the_root_belongs_to_its_module() {
        let seen = found(&[("scalar.rs", "use crate::Arm;\nuse crate::{Hinge};")]);
        assert_eq!(seen.len(), 2);
        assert_eq!(seen[0], "src/scalar.rs:1 `scalar` uses `crate::Arm`, which is of `arm`");
    }

    #[test]
    fn everything_at_once_is_found() {
        assert_eq!(found(&[("arm.rs", "use crate::*;")]), ["src/arm.rs:1 `arm` uses `crate::*`"]);
    }

    #[test]
    fn tests_are_exempt() {
        let text =
            "fn f() {}\n#[cfg(test)]\nmod tests {\n    use crate::arm::Arm;\n    fn g() {}\n}\n";
        assert!(found(&[("scalar.rs", text)]).is_empty());
        let split = [
            ("scalar/mod.rs", "#[cfg(test)]\nmod checks;\n"),
            ("scalar/checks.rs", "use crate::arm::Arm;\n"),
        ];
        assert!(found(&split).is_empty());
    }

    #[test]
    fn code_after_tests_is_not_exempt() {
        let text = "#[cfg(test)]\nuse crate::arm::Arm;\nuse crate::spatial::Pose;\n";
        assert_eq!(
            found(&[("scalar.rs", text)]),
            ["src/scalar.rs:3 `scalar` uses `crate::spatial::Pose`"]
        );
    }

    #[test]
    fn talk_is_exempt() {
        let text = "//! See [`crate::arm`].\nconst S: &str = \"crate::arm\"; // crate::arm\n";
        assert!(found(&[("scalar.rs", text)]).is_empty());
    }
}
