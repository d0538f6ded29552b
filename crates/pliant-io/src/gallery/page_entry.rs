//! Entries of pages: their tables, claims, warnings, figures and files.

use super::page_table::{of_claims, of_table};
use super::page_text::{lines, text};
use super::{GalleryDocument, GalleryFigure, GalleryLack, GalleryResult};
use std::fmt::Write as _;

/// What begins an entry.
fn heading(out: &mut String, [id, place, title]: [&String; 3], class: &str) {
    let [id, place, title] = [id, place, title].map(|words| text(words));
    let _ = writeln!(
        out,
        "<article id=\"{id}\"{class}><p class=\"place\">{place}</p><h2><a href=\"#{id}\">{title}</a></h2>"
    );
}

/// An entry that was computed.
pub(super) fn of_entry(
    out: &mut String,
    entry: &GalleryResult,
    draw: &dyn Fn(&GalleryFigure) -> String,
) {
    heading(out, [&entry.id, &entry.place, &entry.title], "");
    for paragraph in &entry.about {
        let _ = writeln!(out, "<p>{}</p>", text(paragraph));
    }
    of_warnings(out, entry);
    out.push_str("<div class=\"tables\">\n");
    for number in 0..entry.tables.len() {
        of_table(out, entry, number);
    }
    if !entry.claims.is_empty() {
        let is_beyond = entry.document == GalleryDocument::Beyond;
        of_claims(out, entry, if is_beyond { "Checks" } else { "Claims" });
    }
    out.push_str("</div>\n");
    of_figures(out, entry, draw);
    of_files(out, entry);
    out.push_str("</article>\n");
}

/// What the runs warned of.
fn of_warnings(out: &mut String, entry: &GalleryResult) {
    if entry.warnings.is_empty() {
        return;
    }
    let id = format!("{}.warnings", text(&entry.id));
    let _ = write!(
        out,
        "<aside class=\"warnings\" id=\"{id}\"><h3><a href=\"#{id}\">pliant warns</a></h3><ul>"
    );
    for warning in &entry.warnings {
        let rows = text(&warning.rows.join("; "));
        let words = text(&warning.text);
        let _ = write!(out, "<li>{words}. <span class=\"rows\">Of: {rows}.</span></li>");
    }
    out.push_str("</ul></aside>\n");
}

fn of_figures(out: &mut String, entry: &GalleryResult, draw: &dyn Fn(&GalleryFigure) -> String) {
    if entry.figures.is_empty() {
        return;
    }
    out.push_str("<div class=\"figures\">\n");
    for (k, figure) in entry.figures.iter().enumerate() {
        let own = format!("{}.figure-{}", text(&entry.id), k + 1);
        let label = text(&format!("{}: {}", figure.place, figure.title));
        let named = format!("<svg role=\"img\" aria-label=\"{label}\" ");
        let drawing = draw(figure).replacen("<svg ", &named, 1);
        let _ = writeln!(
            out,
            "<figure id=\"{own}\">{drawing}<figcaption><a href=\"#{own}\"><b>{}:</b></a> {}. \
             <span class=\"source\">Source: {}.</span></figcaption></figure>",
            text(&figure.place),
            text(&figure.title),
            text(&figure.source)
        );
    }
    out.push_str("</div>\n");
}

/// The files that it was computed from, and how to do that again.
fn of_files(out: &mut String, entry: &GalleryResult) {
    let id = text(&entry.id);
    let _ = write!(
        out,
        "<div class=\"files\" id=\"{id}.files\"><p class=\"again\">Its files, from which everything here \
         was computed:</p>"
    );
    for (name, content) in &entry.files {
        let (name, content) = (text(name), lines(content));
        let _ = write!(
            out,
            "<details id=\"{id}.{name}\"><summary>{name}</summary><pre>{content}</pre></details>"
        );
    }
    let _ = writeln!(
        out,
        "<p class=\"again\">To compute it again: <code>pliant gallery {id}</code>; to change its files: \
         <code>pliant gallery {id} --copy FOLDER</code>.</p></div>"
    );
}

/// An entry that was not computed.
pub(super) fn of_lack(out: &mut String, lack: &GalleryLack) {
    heading(out, [&lack.id, &lack.place, &lack.title], " class=\"missing\"");
    let _ = writeln!(
        out,
        "<p class=\"missing\">Not computed: {}</p></article>",
        lines(&lack.why).replace('\n', "<br>")
    );
}
