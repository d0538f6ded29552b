//! ARCHITECTURE.md draws the house as it stands.
//!
//! A drawing is a fenced block below a line `<!-- tree: FOLDER -->`: one folder (`name/`) or file
//! per line, two blanks of indent for each level, anything after the name being its description.
//! A level that is drawn is drawn whole: all its folders and, below `src`, all its modules.

use super::{Finding, LAYERED};

/// Folders that must have a drawing.
const DRAWN: &[&str] = &[".", LAYERED];

struct Drawing {
    /// The folder that is drawn, empty or with a slash at the end.
    folder: String,
    /// Of the line with the mark.
    line: usize,
    entries: Vec<Entry>,
}

struct Entry {
    line: usize,
    /// Path below the drawn folder; a folder's ends with a slash.
    path: String,
}

/// Compares every drawing with the files that are there.
pub(super) fn check(document: &str, markdown: &str, files: &[&str]) -> Vec<Finding> {
    let drawings = drawings(markdown);
    let mut findings = Vec::new();
    for folder in DRAWN {
        let prefix = as_prefix(folder);
        if !drawings.iter().any(|drawing| drawing.folder == prefix) {
            findings.push(Finding::error(
                document,
                1,
                format!("no drawing of `{folder}`"),
                format!("a line <!-- tree: {folder} --> stands right above the fenced block"),
            ));
        }
    }
    for drawing in &drawings {
        findings.extend(absent(document, drawing, files));
        findings.extend(unlisted(document, drawing, files));
    }
    findings
}

/// Compares the drawn modules of one folder with the order of `lib.rs`.
pub(super) fn check_order(
    document: &str,
    markdown: &str,
    folder: &str,
    order: &[String],
) -> Option<Finding> {
    let drawings = drawings(markdown);
    let drawing = drawings.iter().find(|drawing| drawing.folder == as_prefix(folder))?;
    let drawn: Vec<(usize, &str)> = drawing
        .entries
        .iter()
        .map(|entry| (entry.line, module_name(&entry.path)))
        .filter(|(_, name)| order.iter().any(|module| module == name))
        .collect();
    let real = order.iter().filter(|module| drawn.iter().any(|(_, name)| name == module));
    let ((line, name), module) = drawn.iter().zip(real).find(|((_, name), real)| name != real)?;
    Some(Finding::error(
        document,
        *line,
        format!("`{name}` is drawn where lib.rs has `{module}`"),
        "ARCHITECTURE.md lists the modules in the order of the `mod` lines of lib.rs",
    ))
}

fn module_name(path: &str) -> &str {
    path.trim_end_matches('/').trim_end_matches(".rs")
}

fn as_prefix(folder: &str) -> String {
    let folder = folder.trim_end_matches('/');
    if folder == "." { String::new() } else { format!("{folder}/") }
}

/// What is drawn and does not exist.
fn absent(document: &str, drawing: &Drawing, files: &[&str]) -> Vec<Finding> {
    let exists = |path: &str| files.iter().any(|file| *file == path || is_below(file, path));
    drawing
        .entries
        .iter()
        .map(|entry| (entry.line, format!("{}{}", drawing.folder, entry.path)))
        .filter(|(_, path)| !exists(path))
        .map(|(line, path)| {
            let seen = format!("`{path}` is drawn and does not exist");
            Finding::error(document, line, seen, "the drawing shows what is there")
        })
        .collect()
}

fn is_below(file: &str, folder: &str) -> bool {
    folder.ends_with('/') && file.starts_with(folder)
}

/// What exists on a drawn level and is not drawn.
fn unlisted(document: &str, drawing: &Drawing, files: &[&str]) -> Vec<Finding> {
    let listed: Vec<&str> = drawing.entries.iter().map(|entry| entry.path.as_str()).collect();
    let mut levels: Vec<&str> = listed.iter().map(|path| parent(path)).collect();
    levels.push("");
    levels.sort_unstable();
    levels.dedup();
    let mut missing: Vec<String> = Vec::new();
    for level in levels {
        let prefix = format!("{}{level}", drawing.folder);
        for file in files.iter().filter_map(|file| file.strip_prefix(&prefix)) {
            let child = match file.split_once('/') {
                Some((folder, _)) if !folder.starts_with('.') => format!("{level}{folder}/"),
                None if is_module(&prefix, file) => format!("{level}{file}"),
                _ => continue,
            };
            if !listed.contains(&child.as_str()) && !missing.contains(&child) {
                missing.push(child);
            }
        }
    }
    missing
        .iter()
        .map(|child| {
            let seen = format!("`{}{child}` exists and is not drawn", drawing.folder);
            let rule = "a level that is drawn is drawn whole: add a line with its purpose";
            Finding::error(document, drawing.line, seen, rule)
        })
        .collect()
}

fn parent(path: &str) -> &str {
    let name = path.trim_end_matches('/');
    name.rfind('/').map_or("", |at| &name[..=at])
}

fn is_module(folder: &str, file: &str) -> bool {
    let in_sources = folder.contains("/src/");
    let name = file.strip_suffix(".rs");
    in_sources && name.is_some_and(|name| !matches!(name, "lib" | "main" | "mod"))
}

/// Reads the drawings of a Markdown text.
fn drawings(markdown: &str) -> Vec<Drawing> {
    let mut drawings = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        let marked = line.trim().strip_prefix("<!-- tree:");
        let Some(folder) = marked.and_then(|rest| rest.strip_suffix("-->")) else {
            continue;
        };
        let mut entries = Vec::new();
        let mut open: Vec<&str> = Vec::new(); // the folders that the next line may lie in
        let block = lines.by_ref().skip_while(|(_, line)| !line.starts_with("```")).skip(1);
        for (at, line) in block.take_while(|(_, line)| !line.starts_with("```")) {
            let text = line.trim_start();
            let level = (line.len() - text.len()) / 2;
            let Some(name) = text.split_whitespace().next().filter(|_| level <= open.len()) else {
                continue; // an empty line, or the rest of a description
            };
            open.truncate(level);
            entries.push(Entry { line: at + 1, path: open.concat() + name });
            if name.ends_with('/') {
                open.push(name);
            }
        }
        drawings.push(Drawing { folder: as_prefix(folder.trim()), line: index + 1, entries });
    }
    drawings
}

#[cfg(test)]
mod tests {
    use super::{check, check_order};

    const FILES: &[&str] = &[
        ".ci/run",
        "README.md",
        "book/references.bib",
        "crates/pliant/src/arm/joint.rs",
        "crates/pliant/src/arm/mod.rs",
        "crates/pliant/src/error.rs",
        "crates/pliant/src/lib.rs",
        "crates/pliant/src/scalar/mod.rs",
        "crates/pliant-io/src/lib.rs",
    ];

    const MAP: &str = "\
<!-- tree: . -->
```
book/        references
crates/
  pliant/    the mathematics,
             more about it
  pliant-io/
README.md
```
<!-- tree: crates/pliant/src -->
```
scalar/   arithmetic
arm/      bodies
  joint.rs
error.rs
```
";

    fn seen(map: &str) -> Vec<String> {
        let findings = check("A.md", map, FILES);
        findings.iter().map(|f| format!("{} {}", f.line, f.seen)).collect()
    }

    #[test]
    fn the_right_drawing_passes() {
        assert!(seen(MAP).is_empty(), "{:?}", seen(MAP));
    }

    #[test]
    fn what_does_not_exist_is_found() {
        let map = MAP.replace("error.rs", "error.rs\nbeam/  not yet");
        assert_eq!(seen(&map), ["16 `crates/pliant/src/beam/` is drawn and does not exist"]);
    }

    #[test]
    fn what_is_not_drawn_is_found() {
        let map = MAP.replace("scalar/   arithmetic\n", "").replace("  pliant-io/\n", "");
        assert_eq!(
            seen(&map),
            [
                "1 `crates/pliant-io/` exists and is not drawn",
                "9 `crates/pliant/src/scalar/` exists and is not drawn"
            ]
        );
        let map = MAP.replace("error.rs\n", "");
        assert_eq!(seen(&map), ["10 `crates/pliant/src/error.rs` exists and is not drawn"]);
        let map = MAP.replace("joint.rs", "mod.rs");
        assert_eq!(seen(&map), ["10 `crates/pliant/src/arm/joint.rs` exists and is not drawn"]);
    }

    #[test]
    fn a_level_may_stay_closed() {
        assert!(seen(&MAP.replace("  joint.rs\n", "")).is_empty());
    }

    #[test]
    fn a_missing_drawing_is_found() {
        assert!(seen("")[0].contains("no drawing of"));
        assert_eq!(seen("").len(), 2);
    }

    #[test]
    fn the_order_is_compared_with_lib() {
        let order = |names: &[&str]| {
            let order: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            check_order("A.md", MAP, "crates/pliant/src/", &order)
        };
        assert!(order(&["scalar", "arm", "error"]).is_none());
        assert!(order(&["scalar", "beam", "arm"]).is_none());
        let finding = order(&["arm", "scalar", "error"]).unwrap();
        assert_eq!(finding.line, 12);
        assert!(finding.seen.contains("`scalar` is drawn where lib.rs has `arm`"));
    }
}
