//! `pliant gallery`: what documents print, beside what is computed here.

mod drawing;
mod text;

use super::options::{Force, Format};
use super::run::interruption;
use crate::output::{Failure, Output};
use crate::progress_line::duration;
use clap::Args;
use pliant_io::Report;
use pliant_io::escape::Shown as _;
use pliant_io::gallery::{
    self, Gallery as Entries, GalleryEntry, GalleryLack, GalleryResult, GalleryStep,
};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Results of published documents, computed again and held against the print
///
/// Without a name it lists the entries. Each is a folder with an arm, a scenario and what a document
/// prints; nothing computed is stored.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant gallery                                      the entries, with their documents\n  \
    pliant gallery akmehmet-5-3-feedback                computes one, and prints its rows\n  \
    pliant gallery king                                 all of a document: king, korayem, akmehmet,\n  \
    \u{20}                                                   003 or manipulators, theodore, beyond\n  \
    pliant gallery king-3                               all whose names begin so\n  \
    pliant gallery akmehmet-5-3-feedback --out pages    also writes it as pages\n  \
    pliant gallery --all --out pages                    computes all: pages and gallery.json\n  \
    pliant gallery --all --quick --out pages            those that take seconds\n  \
    pliant gallery akmehmet-5-3-feedback --copy mine    its files, to change\n  \
    pliant gallery --from mine                          computes the changed copy\n\n\
    A row is a number: what the document prints, what pliant computes, and the verdict that follows from\n\
    both and the tolerance of the entry: reproduced, differs, not reproducible, no printed number, or\n\
    beyond what any document has. gallery.json is a list of the rows with the keys id, document, place,\n\
    quantity, unit, printed, ours, relative_difference, verdict and why. The pages open from disk.\n\
    `pliant explain keys entry` tells the keys of an entry.\n\n\
    An entry at fault, or one that cannot be read, does not stop the others, and Ctrl-C keeps the entries that are computed by then:\n\
    pages, gallery.json and tables have those, the pages name the missing ones with the reason, and all\n\
    faults are told at the end. Nothing is written where no entry is complete, and no file is written in\n\
    part.\n\n\
    Exit code: 0 success, also where numbers differ, 1 error in the input, an entry at fault or\n\
    interrupted, 2 internal error.")]
pub(crate) struct Gallery {
    /// An entry, or a document or the beginning of names for all of its entries; without one and without
    /// --all they are listed
    #[arg(value_name = "NAME", conflicts_with = "all")]
    name: Option<String>,

    /// Compute all entries
    #[arg(long)]
    all: bool,

    /// Only the quick entries, one or a few of each document, which take seconds together
    #[arg(long)]
    quick: bool,

    /// Folder for the pages: index.html, a page of each document, and gallery.json
    #[arg(long, short, value_name = "FOLDER", alias = "output")]
    out: Option<PathBuf>,

    /// Take the entries of a folder instead of those of pliant: the folder of an entry, or one with
    /// such folders
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,

    /// Write the files of one entry to a folder, and compute nothing
    #[arg(long, value_name = "FOLDER", requires = "name", conflicts_with_all = ["all", "out", "format"])]
    copy: Option<PathBuf>,

    /// How many rows are computed at once; default: as many as the machine has cores. The numbers do
    /// not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,

    /// What is printed: tables, or the rows as gallery.json has them
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    #[command(flatten)]
    force: Force,
}

/// The file of all rows, beside the pages.
const ROWS: &str = "gallery.json";

/// Before so long nothing is said, and then not more often than this.
const PATIENCE: Duration = Duration::from_secs(2);
const OFTEN: Duration = Duration::from_millis(200);
const SELDOM: Duration = Duration::from_secs(10);

/// What became of the entries that were asked for.
#[derive(Default)]
struct Computed {
    results: Vec<GalleryResult>,
    /// The others, and why they are not among the results.
    lacks: Vec<GalleryLack>,
    /// What is wrong with those at fault.
    faults: Vec<Report>,
    /// The entry at which somebody interrupted.
    stopped: Option<String>,
}

/// How far it is: the entry, which of all it is, rows done of all, and the seconds that have gone by.
fn line(id: &str, (entry, entries): (usize, usize), (done, all): (usize, usize), s: f64) -> String {
    let which = if entries > 1 { format!("entry {entry} of {entries}, ") } else { String::new() };
    format!("{id}: {which}{done} of {all} rows, {} so far", duration(s))
}

/// Tells faults, of which the last is what the command ends with.
fn told<'a>(output: &Output, faults: impl IntoIterator<Item = &'a Report>) -> Result<(), Failure> {
    let mut faults = faults.into_iter().peekable();
    while let Some(fault) = faults.next() {
        let failure = fault.clone().into();
        if faults.peek().is_none() {
            return Err(failure);
        }
        output.fail(&failure);
    }
    Ok(())
}

impl Gallery {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let gallery = match &self.from {
            Some(folder) => Entries::in_folder(&self.place_in(folder))?,
            None => Entries::embedded()?,
        };
        let unread = match &self.name {
            Some(name) => gallery.unread_named(name),
            None => gallery.unread.iter().collect(),
        };
        let chosen = self.chosen(&gallery, &unread)?;
        if let (Some(folder), [entry]) = (&self.copy, chosen.as_slice()) {
            return self.write_copy(entry, folder, output);
        }
        let is_alone = chosen.len() == 1 && unread.is_empty();
        // the only entry of a folder is meant, and so is whatever is to be written
        let is_list = self.name.is_none() && !self.all;
        if is_list && self.out.is_none() && !(self.from.is_some() && is_alone) {
            output.data(&match self.format {
                Format::Text => text::list(&chosen),
                Format::Json => text::list_json(&chosen)?,
            })?;
            if self.format == Format::Text {
                output.note(
                    "pliant gallery NAME computes one, pliant gallery --all --out FOLDER all of them as pages",
                );
            }
            return told(output, unread.iter().map(|(_, fault)| fault));
        }
        if let Some(folder) = &self.out {
            self.check_places(folder, &chosen)?;
        }
        let mut computed = self.compute(&chosen, output)?;
        for (lack, fault) in unread {
            computed.lacks.push(lack.clone());
            computed.faults.push(fault.clone());
        }
        let Computed { results, lacks, faults, stopped } = &computed;
        if !results.is_empty() {
            if let Some(folder) = &self.out {
                self.write(results, lacks, folder)?;
            }
            output.data(&match (self.format, results.as_slice()) {
                (Format::Json, all) => gallery::json(all),
                (Format::Text, [one]) if is_alone => text::table(one),
                (Format::Text, all) => text::summary(all, lacks),
            })?;
        }
        match &self.out {
            Some(folder) if !results.is_empty() => {
                output.note(&format!("wrote {}", folder.join(gallery::INDEX).shown()));
            }
            None if chosen.len() > 1 && self.format == Format::Text => output.note(
                "the rows: pliant gallery NAME prints those of one entry, --out FOLDER writes pages of all",
            ),
            _ => {}
        }
        let Some(id) = stopped else { return told(output, faults) };
        for fault in faults {
            output.fail(&fault.clone().into());
        }
        let (done, all) = (results.len(), chosen.len());
        let kept = match (done, &self.out) {
            (0, _) => "no entry is complete, and nothing is written".to_owned(),
            (_, Some(_)) => format!("{done} of {all} entries are complete and written"),
            (_, None) => format!("{done} of {all} entries are complete"),
        };
        Err(Failure::Stopped(format!("interrupted at {id}; {kept}")))
    }

    /// Where an entry is looked for: who asks for one does not hear of others that are broken.
    fn place_in(&self, folder: &Path) -> PathBuf {
        let own = self.name.as_ref().map(|name| folder.join(name));
        own.filter(|own| own.join(gallery::ENTRY).is_file()).unwrap_or_else(|| folder.to_owned())
    }

    /// The entries that are meant.
    fn chosen<'a>(
        &self,
        gallery: &'a Entries,
        unread: &[&(GalleryLack, Report)],
    ) -> Result<Vec<&'a GalleryEntry>, Failure> {
        let meant = match &self.name {
            None => gallery.entries.iter().collect(),
            Some(name) => gallery.named(name),
        };
        if let (Some(name), [], []) = (&self.name, meant.as_slice(), unread) {
            let near = gallery.nearest(name).map(|near| format!("did you mean {near}? "));
            let help = "pliant gallery lists them; the name of a document stands for all of its entries, as \
                        does the beginning of their names: king, king-3";
            let message =
                format!("the gallery has no entry {name:?}, and none whose name begins so");
            return Err(Failure::input(message, near.unwrap_or_default() + help));
        }
        let names = |all: &[&GalleryEntry]| -> String {
            all.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>().join(", ")
        };
        if let (Some(name), Some(_), [_, _, ..]) = (&self.name, &self.copy, meant.as_slice()) {
            let message = format!(
                "{name} stands for {} entries, and --copy writes the files of one",
                meant.len()
            );
            return Err(Failure::input(message, format!("name one of {}", names(&meant))));
        }
        let quick: Vec<_> = meant.iter().copied().filter(|entry| entry.is_quick).collect();
        match (self.quick && self.copy.is_none(), &self.name) {
            (false, _) => Ok(meant),
            (true, name) if quick.is_empty() => {
                let folder = self.from.as_ref().map(|folder| folder.shown());
                let of = name.clone().or(folder).unwrap_or_else(|| "the gallery".to_owned());
                let help = "leave --quick out; pliant gallery --quick lists those that are";
                Err(Failure::input(format!("no entry of {of} is quick"), help))
            }
            (true, _) => Ok(quick),
        }
    }

    /// Refuses what would be replaced, before anything is computed for it.
    fn check_places(&self, folder: &Path, chosen: &[&GalleryEntry]) -> Result<(), Failure> {
        self.force.check_folder(folder)?;
        self.force.check(&folder.join(ROWS))?;
        self.force.check_page(&folder.join(gallery::INDEX))?;
        let pages = chosen.iter().map(|entry| folder.join(entry.document.page()));
        pages.into_iter().try_for_each(|page| self.force.check_page(&page))
    }

    /// Computes entries one after the other, and tells how far it is. What is at fault is left aside.
    fn compute(&self, chosen: &[&GalleryEntry], output: &Output) -> Result<Computed, Failure> {
        let threads = match self.threads {
            Some(threads) => usize::from(threads),
            None => available_parallelism().map_or(1, std::num::NonZero::get),
        };
        let interrupted = interruption()?;
        let all: usize = chosen.iter().map(|entry| entry.count()).sum();
        let (start, mut next, mut before) = (Instant::now(), PATIENCE, 0);
        let mut computed = Computed::default();
        for (k, entry) in chosen.iter().enumerate() {
            let mut watch = |step: GalleryStep| {
                let elapsed = start.elapsed();
                if elapsed >= next {
                    next = elapsed + if output.on_terminal() { OFTEN } else { SELDOM };
                    let (entries, done) = ((k + 1, chosen.len()), before + step.done);
                    output.progress(&line(&entry.id, entries, (done, all), elapsed.as_secs_f64()));
                }
                if interrupted.load(Ordering::Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let found = entry.run(threads, &mut watch);
            before += entry.count();
            match found {
                Ok(Some(result)) => computed.results.push(result),
                Ok(None) => {
                    let missing = chosen[k..].iter();
                    computed.lacks.extend(missing.map(|entry| entry.lack("interrupted")));
                    computed.stopped = Some(entry.id.clone());
                    break;
                }
                Err(report) => {
                    computed.lacks.push(entry.lack(&report.to_string()));
                    computed.faults.push(report);
                }
            }
        }
        output.end_progress();
        Ok(computed)
    }

    /// Writes the pages and the rows, all or none. By --force pages of an earlier gallery go.
    fn write(
        &self,
        results: &[GalleryResult],
        lacks: &[GalleryLack],
        folder: &Path,
    ) -> Result<(), Failure> {
        let pages = gallery::pages(results, lacks, &drawing::svg);
        let json = gallery::json(results);
        let mut files: Vec<(&str, &[u8])> = vec![(ROWS, json.as_bytes())];
        files.extend(pages.iter().map(|(name, page)| (name.as_str(), page.as_bytes())));
        self.force.write_folder(folder, &files)?;
        if self.force.is_given() {
            for page in gallery::stale(folder, &pages) {
                std::fs::remove_file(&page).map_err(|error| {
                    let message = format!("{} cannot be removed: {error}", page.shown());
                    Failure::input(message, "remove it: it is of an earlier gallery")
                })?;
            }
        }
        Ok(())
    }

    fn write_copy(
        &self,
        entry: &GalleryEntry,
        folder: &Path,
        output: &Output,
    ) -> Result<(), Failure> {
        let files = entry.files()?;
        let bytes: Vec<(&str, &[u8])> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
        self.force.write_folder(folder, &bytes)?;
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        output.data(&format!("in {}: {}\n", folder.shown(), names.join(", ")))
    }
}
