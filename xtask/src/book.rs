//! `cargo xtask book --figures`: the pictures of the README and the guide, made anew.

use crate::{Outcome, bench, repo, web};
use std::fs;
use std::path::{Path, PathBuf};

/// Where pictures are kept.
const FOLDER: &str = "book/figures";

/// A picture and how it is made. A further one is a further line of [`FIGURES`].
struct Figure {
    file: &'static str,
    how: How,
}

enum How {
    /// Out of the report of a scenario: its file, and what `web/test/figure.mjs` is told.
    Report(&'static str, &'static str),
    /// Out of the page of the modes of an arm: the arguments of `pliant modes`, and the same.
    Modes(&'static str, &'static [&'static str], &'static str),
    /// Drawn by `pliant plot` from a run of a scenario, with these arguments.
    Plot(&'static str, &'static [&'static str]),
    /// The same from a study.
    Study(&'static str, &'static [&'static str]),
    /// The same from templates of `pliant new`, of which the last one is a study.
    Templates(&'static [&'static str]),
    /// Out of the page of a study: its file, and what `web/test/figure.mjs` is told.
    StudyPage(&'static str, &'static str),
    /// Out of a page of the gallery: the entry, the page, and the same.
    Gallery(&'static str, &'static str, &'static str),
}

const FIGURES: &[Figure] = &[
    Figure {
        file: "report-light.png",
        how: How::Report(
            "scenarios/six-slender.toml",
            r#"{"theme": "light", "at": 0.6, "tab": "bending"}"#,
        ),
    },
    Figure {
        file: "report-dark.png",
        how: How::Report(
            "scenarios/king-swing.toml",
            r#"{"theme": "dark", "at": 1.1, "enlarge": 20, "tab": "spectrum"}"#,
        ),
    },
    Figure {
        file: "arm.png",
        how: How::Report(
            "scenarios/six-slender.toml",
            r#"{"theme": "light", "at": 0.6, "part": ".view", "width": 1700}"#,
        ),
    },
    Figure {
        file: "modes.png",
        how: How::Modes(
            "robots/king-two-link.toml",
            &["--at", "upper=-30deg,fore=20deg"],
            r#"{"theme": "light", "at": 0.25, "mode": 2}"#,
        ),
    },
    Figure {
        file: "boom.svg",
        how: How::Plot(
            "scenarios/boom-lift.toml",
            &["--filmstrip", "0,0.5,1,1.5", "--together", "--exaggerate", "20"],
        ),
    },
    Figure {
        file: "king-swing.svg",
        how: How::Plot(
            "scenarios/king-swing.toml",
            &["--channels", "upper,fore,fore.y1,fore.z1,fore.tip.position.*", "--to", "3"],
        ),
    },
    Figure { file: "shapers.svg", how: How::Templates(&["track", "study"]) },
    Figure { file: "payload.svg", how: How::Study("studies/payload.toml", &[]) },
    Figure {
        file: "study.png",
        how: How::StudyPage(
            "studies/payload.toml",
            r#"{"theme": "light", "run": 31, "width": 1440, "height": 1020}"#,
        ),
    },
    Figure {
        file: "gallery.png",
        how: How::Gallery(
            "king-3-2-frequencies",
            "king.html",
            r#"{"theme": "light", "plain": true, "width": 1280, "height": 1140}"#,
        ),
    },
];

/// Makes the pictures whose names contain `wanted`.
pub(crate) fn figures(wanted: &str) -> Outcome {
    let folder = repo::root().join(FOLDER);
    make(&folder)?;
    let chosen: Vec<&Figure> =
        FIGURES.iter().filter(|figure| figure.file.contains(wanted)).collect();
    if chosen.is_empty() {
        let all = FIGURES.iter().map(|figure| figure.file).collect::<Vec<_>>().join(", ");
        return Err(format!("no figure is called {wanted}; there are {all}"));
    }
    for figure in chosen {
        let to = folder.join(figure.file);
        match figure.how {
            How::Report(scenario, told) => {
                web::picture(&ran("run", scenario)?.join("report.html"), &to, told)?;
            }
            How::Plot(scenario, arguments) => plot(&ran("run", scenario)?, arguments, &to)?,
            How::Study(study, arguments) => plot(&ran("sweep", study)?, arguments, &to)?,
            How::Templates(templates) => plot(&ran("sweep", &written(templates)?)?, &[], &to)?,
            How::StudyPage(study, told) => {
                web::picture(&ran("sweep", study)?.join("report.html"), &to, told)?;
            }
            How::Gallery(entry, page, told) => {
                pliant(&["gallery", entry, "--force", "--quiet", "--out", entry])?;
                web::picture(&scratch()?.join(entry).join(page), &to, told)?;
            }
            How::Modes(arm, arguments, told) => {
                let arm = repo::root().join(arm);
                let page = Path::new(figure.file).with_extension("html");
                let [arm, page] = [arm, page].map(|path| path.to_string_lossy().into_owned());
                let outputs = ["--quiet", "--force", "--report", &page];
                pliant(&[&["modes", &arm], arguments, &outputs[..]].concat())?;
                web::picture(&scratch()?.join(page), &to, told)?;
            }
        }
        println!("{FOLDER}/{}", figure.file);
    }
    Ok(())
}

/// The folder of a scenario or a study, which is run by this command. Pages show the folder as it is given,
/// so that it is a name alone.
fn ran(command: &str, file: &str) -> Result<PathBuf, String> {
    let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let folder = format!("{name}-{}", if command == "sweep" { "study" } else { "run" });
    let file = repo::root().join(file);
    let file = file.to_string_lossy();
    pliant(&[command, &file, "--force", "--quiet", "-o", &folder])?;
    Ok(scratch()?.join(folder))
}

/// Writes templates of `pliant new`; the file of the last one.
fn written(templates: &[&str]) -> Result<String, String> {
    let mut file = String::new();
    for template in templates {
        file = format!("{template}.toml");
        pliant(&["new", template, "--force", "--quiet", "-o", &file])?;
    }
    Ok(scratch()?.join(file).to_string_lossy().into_owned())
}

/// Draws a run or a study.
fn plot(folder: &Path, arguments: &[&str], to: &Path) -> Outcome {
    let [folder, to] = [folder, to].map(Path::to_string_lossy);
    pliant(&[&["plot", &folder], arguments, &["--force", "--quiet", "-o", &to]].concat())
}

/// Runs pliant in the folder of what comes between.
fn pliant(arguments: &[&str]) -> Outcome {
    let mut cargo = repo::cargo();
    let manifest = repo::root().join("Cargo.toml");
    cargo.args(["run", "--locked", "--release", "--quiet", "--package", "pliant-cli"]);
    cargo.arg("--manifest-path").arg(manifest).arg("--").args(arguments);
    repo::run("pliant", cargo.current_dir(scratch()?).stdout(std::process::Stdio::null()))
}

fn scratch() -> Result<PathBuf, String> {
    let folder = bench::target_folder().join("figures");
    make(&folder)?;
    Ok(folder)
}

fn make(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|why| format!("{} cannot be made: {why}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Every picture there is can be made anew, and every one that pages show is there.
    #[test]
    fn all_pictures_are_made_by_the_command() {
        let made: BTreeSet<String> = FIGURES.iter().map(|figure| figure.file.to_owned()).collect();
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let there = fs::read_dir(repo::root().join(FOLDER)).expect("the pictures");
        let there: BTreeSet<String> = there.map(|entry| name(entry.expect("a picture"))).collect();
        assert_eq!(made, there);
        let mut pages = vec![repo::root().join("README.md")];
        let book = fs::read_dir(repo::root().join("book")).expect("the book");
        pages.extend(book.map(|entry| entry.expect("a page").path()).filter(|path| path.is_file()));
        for page in pages {
            let Ok(text) = fs::read_to_string(&page) else { continue };
            for shown in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let picture = shown.strip_prefix("book/").unwrap_or(shown).strip_prefix("figures/");
                let is_made = picture.is_none_or(|picture| made.contains(picture));
                assert!(is_made, "{} shows {shown}", page.display());
            }
        }
    }
}
