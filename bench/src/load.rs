//! How long it takes to load an arm file, to check it and to build the arm.

use crate::engine::Error;
use crate::machine;
use crate::report::Format;
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::process::ExitCode;
use std::time::Instant;

/// An arm file, loaded, checked and built.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Aligned text, or one JSON object.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Links of the arm.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=2000))]
    links: u32,
    /// How often it is loaded.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

/// What a hundred links may take, median (ms).
const LIMIT_MS: f64 = 50.0;
const LIMITED_LINKS: u32 = 100;

/// Runs the benchmark. Success means that it was measured, not that the bar was kept.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    let path = machine::target_folder().join("pliant-bench-load.toml");
    let text = arm_file(options.links);
    fs::write(&path, &text).map_err(|source| Error::File { path: path.clone(), source })?;
    let mut samples = Vec::new();
    for _ in 0..options.rounds {
        let start = Instant::now();
        let loaded = pliant_io::load(&path).map_err(Box::new)?;
        std::hint::black_box(loaded);
        samples.push(start.elapsed().as_secs_f64() * 1e3);
    }
    samples.sort_by(f64::total_cmp);
    let (min, median) = (samples[0], samples[samples.len() / 2]);
    let kept = (options.links == LIMITED_LINKS).then_some(median < LIMIT_MS);
    let (links, bytes) = (options.links, text.len());
    if options.format == Format::Json {
        let row = json!({
            "record": "load", "processor": machine::processor(), "links": links, "bytes": bytes,
            "min_ms": min, "median_ms": median, "limit_ms": LIMIT_MS, "kept": kept
        });
        println!("{row}");
        return Ok(ExitCode::SUCCESS);
    }
    println!("processor: {}", machine::processor());
    println!("an arm file of {links} links, {bytes} bytes: read, checked, built\n");
    println!("minimum {min:.2} ms, median {median:.2} ms");
    match kept {
        Some(true) => println!("bar: below {LIMIT_MS} ms, kept"),
        Some(false) => println!("bar: below {LIMIT_MS} ms, MISSED"),
        None => println!("the bar of {LIMIT_MS} ms is for {LIMITED_LINKS} links"),
    }
    Ok(ExitCode::SUCCESS)
}

/// An arm file as people write them: units, shapes, limits, frames.
fn arm_file(links: u32) -> String {
    let mut text = String::from("name = \"long\"\ngravity = [0, 0, \"-9.81 m/s^2\"]\n");
    for i in 0..links {
        let axis = ["z", "y", "x"][i as usize % 3];
        let _ = write!(
            text,
            "\n[[link]]\n\
             name = \"link-{i}\"\n\
             placement = {{ position = [\"120 mm\", 0, \"15 mm\"], rpy = [0, \"5 deg\", 0] }}\n\
             joint = {{ kind = \"revolute\", axis = \"{axis}\", limits = [\"-170 deg\", \"170 deg\"], damping = \"0.1 N m s/rad\" }}\n\
             shape = {{ kind = \"tube\", to = [\"120 mm\", 0, 0], diameter = \"40 mm\", wall = \"2 mm\", density = \"2.7 g/cm^3\" }}\n\
             payload = {{ mass = \"0.2 kg\", position = [0.05, 0, 0] }}\n\
             frames = [{{ name = \"mark-{i}\", position = [\"60 mm\", 0, 0] }}]\n"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::arm_file;
    use pliant_io::{Source, parse_arm};

    #[test]
    fn the_file_is_an_arm_without_doubts() {
        let loaded = parse_arm(&Source::new("long.toml", arm_file(100)));
        let loaded = loaded.expect("a good arm");
        assert!(loaded.warnings.is_empty(), "{}", loaded.warnings);
        assert_eq!(loaded.arm.nv(), 100);
    }
}
