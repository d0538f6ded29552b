//! The pages of reports: their templates are built from `web/`, and tested in a real browser.
//!
//! Node.js and npm are no duty: whoever lacks them keeps the templates that are committed, and the
//! stage says that it was skipped. The browser comes as one of the packages, and needs no root.

use crate::{Outcome, bench, repo};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the templates are committed, and what they are called.
const TEMPLATES: (&str, [&str; 2]) = ("crates/pliant-io/assets", ["report.html", "study.html"]);

/// Beside the packages: the lock file they were installed from.
const STAMP: &str = "node_modules/.installed-from";

/// The oldest Node.js of each line that builds the page; all later lines do.
const OLDEST_NODES: [(u32, u32); 2] = [(20, 19), (22, 12)];

/// How npm installs what the lock file says; it does not wait long for a network that is dead.
const INSTALL: [&str; 5] =
    ["ci", "--no-audit", "--no-fund", "--fetch-timeout=30000", "--fetch-retries=2"];

/// The variable that names a browser.
const BROWSER: &str = "PLIANT_CHROMIUM";

/// Where the one of the packages is unpacked, and what starts it.
const UNPACKED: &str = "node_modules/.chromium";

/// Programs of the system that are Chromium, where the package has none.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The folder of the project.
pub(crate) fn folder() -> PathBuf {
    repo::root().join("web")
}

/// Node.js with npm, or what is wrong with them.
pub(crate) fn node() -> Result<String, String> {
    let version = repo::first_line("node", &["--version"]).ok_or("node does not answer")?;
    let mut numbers = version.trim_start_matches('v').split('.').map_while(|n| n.parse().ok());
    let (major, minor): (u32, u32) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let [(first, _), (last, _)] = OLDEST_NODES;
    let fits = |&(line, oldest): &(u32, u32)| major == line && minor >= oldest;
    if !(OLDEST_NODES.iter().any(fits) || major > last) {
        let [a, b] = OLDEST_NODES.map(|(line, oldest)| format!("{line}.{oldest}"));
        return Err(format!("node {version} does not do: {a} of line {first}, or {b} and later"));
    }
    let npm = repo::first_line("npm", &["--version"]).ok_or("npm does not answer")?;
    Ok(format!("{version}, npm {npm}"))
}

/// Whether the packages of the lock file are installed.
pub(crate) fn packages() -> Result<String, String> {
    let lock = fs::read(folder().join("package-lock.json")).map_err(|why| why.to_string())?;
    match fs::read(folder().join(STAMP)) {
        Ok(stamp) if stamp == lock => Ok("those of web/package-lock.json".to_owned()),
        Ok(_) => Err("web/node_modules is of another package-lock.json".to_owned()),
        Err(_) => Err("web/node_modules is not installed".to_owned()),
    }
}

/// Installs the packages of the lock file.
pub(crate) fn install() {
    let installed = repo::run("npm ci", npm().args(INSTALL));
    let stamped = installed.and_then(|()| {
        let copied = fs::copy(folder().join("package-lock.json"), folder().join(STAMP));
        copied.map(drop).map_err(|why| format!("{STAMP} cannot be written: {why}"))
    });
    if let Err(why) = stamped {
        println!("{:<12} {why}", "npm packages");
    }
}

/// The browser: the one that is named, the one of the packages, or one of the system.
pub(crate) fn browser() -> Result<String, String> {
    let answers = |program: &str| repo::first_line(program, &["--version"]).is_some();
    if let Ok(named) = std::env::var(BROWSER) {
        let missing = || format!("{named}, which {BROWSER} names, does not answer");
        return answers(&named).then(|| named.clone()).ok_or_else(missing);
    }
    let unpacked = folder().join(UNPACKED).join("run").to_string_lossy().into_owned();
    let mut found = [unpacked.as_str()].into_iter().chain(BROWSERS);
    found
        .find(|program| answers(program))
        .map(str::to_owned)
        .ok_or_else(|| format!("neither web/{UNPACKED} nor {} answers", BROWSERS.join(", ")))
}

/// Unpacks the browser of the packages, which runs on Linux.
pub(crate) fn unpack_browser() {
    if !cfg!(target_os = "linux") || packages().is_err() {
        return;
    }
    let mut node = Command::new("node");
    let unpacked = node.current_dir(folder()).args(["test/unpack.mjs", UNPACKED]);
    if let Err(why) = repo::run("unpacking the browser", unpacked) {
        println!("{:<12} {why}", "Chromium");
    }
}

/// Builds the templates anew and compares them with those that are committed; tells if it cannot.
pub(crate) fn templates() -> Result<Option<String>, String> {
    let (folder, names) = TEMPLATES;
    if let Some(why) = lacking_node() {
        return Ok(Some(skipped(&format!("{why}; the pages in {folder} are taken as they are"))));
    }
    let out = bench::target_folder().join("web-build");
    repo::run("npm run build", npm().args(["run", "build", "--", "--outDir"]).arg(&out))?;
    for name in names {
        let built = fs::read(out.join(name)).map_err(|why| format!("no page {name}: {why}"))?;
        let committed = fs::read(repo::root().join(folder).join(name)).unwrap_or_default();
        if built != committed {
            return Err(format!(
                "{folder}/{name} is not what web/ builds ({} and {} bytes); run `npm run build` in web/ and commit it",
                committed.len(),
                built.len()
            ));
        }
        println!("{folder}/{name} is what web/ builds, {} bytes", built.len());
    }
    Ok(None)
}

/// Opens pages of all kinds in a browser; tells if it cannot.
pub(crate) fn browse() -> Result<Option<String>, String> {
    let browser = match (lacking_node(), browser()) {
        (Some(why), _) | (None, Err(why)) => return Ok(Some(skipped(&why))),
        (None, Ok(browser)) => browser,
    };
    let pages = bench::target_folder().join("report-pages");
    // pages of another day would hide that one is no longer written
    let _ = fs::remove_dir_all(&pages);
    let example = ["run", "--locked", "--release", "--quiet", "--package", "pliant-io"];
    repo::run(
        "the example report_pages",
        repo::cargo().args(example).args(["--example", "report_pages", "--"]).arg(&pages),
    )?;
    let command = ["run", "--locked", "--release", "--quiet", "--package", "pliant-cli"];
    repo::run(
        "the quick entries of the gallery",
        repo::cargo()
            .args(command)
            .args(["--", "--quiet", "gallery", "--all", "--quick", "--out"])
            .arg(pages.join("gallery")),
    )?;
    let mut test = node_in_web(&browser);
    repo::run("the test in the browser", test.arg("test/report.mjs").arg(&pages))?;
    println!("pictures are in {}", pages.display());
    Ok(None)
}

/// Takes a picture out of a page; `how` is JSON that `web/test/figure.mjs` understands.
pub(crate) fn picture(page: &Path, to: &Path, how: &str) -> Outcome {
    if let Some(why) = lacking_node() {
        return Err(why);
    }
    let mut figure = node_in_web(&browser()?);
    repo::run("taking a picture", figure.arg("test/figure.mjs").arg(page).arg(to).arg(how))
}

/// Why the project cannot be built here, if it cannot.
fn lacking_node() -> Option<String> {
    node().and_then(|_| packages()).err()
}

fn skipped(why: &str) -> String {
    format!("skipped: {why}; `cargo xtask setup` says how to get it")
}

fn npm() -> Command {
    let mut npm = Command::new("npm");
    npm.current_dir(folder());
    npm
}

fn node_in_web(browser: &str) -> Command {
    let mut node = Command::new("node");
    let path = repo::first_line("which", &[browser]).unwrap_or_else(|| browser.to_owned());
    node.current_dir(folder()).env(BROWSER, path);
    node
}
