//! What is found in an entry before its runs, whom a name means, and what pages tell beside numbers.

use crate::gallery::{computed, copy, embedded, in_folder};
use pliant_io::gallery::{GalleryEntry, GalleryVerdict, json, pages};

/// What is wrong with a copy of an entry: by its reader, or else before it is run.
fn fault(id: &str, file: &str, change: [&str; 2]) -> Option<pliant_io::Report> {
    let folder = copy("gallery-checked", id, file, change);
    let read = GalleryEntry::load(folder.join("entry.toml"));
    read.and_then(|entry| entry.examine()).err()
}

/// Each is told with its line, the value and what would be right; none of it takes a run.
#[test]
fn faults_are_found_without_runs() {
    for (id, old, new, words) in [
        (
            "king-6-2-terms",
            "\nvalues = \"exponential exact",
            "\nvalues = \"exponentially exact",
            ["cannot be written \"exponentially\"", "exact, exponential, first-order"],
        ),
        (
            "king-6-2-terms",
            "\ninstead_of = \"{instead_of}\"",
            "\ninstead_of = \"{instead}\"",
            ["cannot be written \"{instead}\"", "exact, exponential, first-order"],
        ),
        (
            "king-6-2-terms",
            "\nbeside = [\"arm.link.upper",
            "\nbeside = [\"arm.link.uper",
            ["uper", "upper"],
        ),
        (
            "king-4-2-poles",
            "\nnumber = \"pole\"",
            "\nnumber = \"pole + 5\"",
            ["there is no number 6 of 4 zeros", "a whole number from 1 to 4"],
        ),
        (
            "king-4-2-poles",
            "\nnumber = \"pole\"",
            "\nnumber = \"pole / 2\"",
            ["there is no number 0.5 of 4 zeros", "a whole number from 1 to 4"],
        ),
        (
            "king-4-2-poles",
            "\noutputs = [\"fore.tip.position.y\", \"upper.tip",
            "\noutputs = [\"fore.tip.position.y\", \"uper.tip",
            ["uper.tip.position.z", "did you mean"],
        ),
        (
            "akmehmet-5-2-computed-torque",
            "\nof = \"largest error\"",
            "\njoint = \"wrist\"\nof = \"largest error\"",
            ["the plan has no such joint", "it can be: waist"],
        ),
        (
            "beyond-shaped-moves",
            "\nfigure = \"fore.tip.residual_amplitude\"",
            "\nfigure = \"fore.tip.residual_amplitud\"",
            ["no run has the figure", "did you mean \"fore.tip.residual_amplitude\"?"],
        ),
        (
            "king-3-4-shapes",
            "\nlink = \"upper\"",
            "\nlink = \"uper\"",
            ["no link that bends", "did you mean \"upper\"?"],
        ),
        (
            "king-3-4-shapes",
            "\nlink = \"upper\"",
            "\nnumber = 400\nlink = \"upper\"",
            ["there is no number 400 of the", "give the links more shapes"],
        ),
        (
            "korayem-3-frequencies",
            "\nnumber = 4",
            "\nnumber = 9",
            ["there is no number 9 of the 4 natural", "ask for a lower one"],
        ),
        (
            "king-2-8-counts",
            "\nlinks = \"",
            "\nlinks = \"x",
            ["no chain of links", "groups of links"],
        ),
        (
            "korayem-2-counts",
            "\nsteps = \"",
            "\nsteps = \"1",
            ["there are no steps", "one of 0 to 10"],
        ),
        (
            "beyond-timoshenko",
            "column = \"b1\"",
            "column = \"b9\"",
            ["no column with the id \"b9\"", "\"b1\""],
        ),
        (
            "beyond-timoshenko",
            "column = \"b1\", over",
            "column = \"b1\", printed = true, over",
            ["no printed number in the column \"b1\"", "leave printed = true out"],
        ),
    ] {
        let report = fault(id, "entry.toml", [old, new]);
        let report = report.unwrap_or_else(|| panic!("{id}: {new} is no fault"));
        let problem = report.problems().next().expect("a problem");
        let told = format!("{report} {}", problem.help.as_deref().unwrap_or_default());
        assert!(words.iter().all(|word| told.contains(word)), "{new}: {told}");
        // a setting has a text of its own
        if !old.contains("beside") {
            let source = report.source();
            let at = source.place(problem.span.clone().expect("a place").start).line;
            let line = source.text().lines().nth(at - 1).unwrap_or_default();
            let key = new.trim_start().split(' ').next().unwrap_or_default();
            let is_key = line.contains(key) || line.contains("with = ");
            assert!(is_key, "{new}: line {at}, {line}");
        }
    }
}

/// What names mean: one entry, the entries of a document, or those whose names begin so.
#[test]
fn names_mean_entries_documents_or_beginnings() {
    let gallery = embedded();
    let count = |is_meant: &dyn Fn(&GalleryEntry) -> bool| {
        gallery.entries.iter().filter(|entry| is_meant(entry)).count()
    };
    let of = |name: &str| -> Vec<&str> {
        gallery.named(name).iter().map(|entry| entry.id.as_str()).collect()
    };
    assert_eq!(of("king-4-2-poles"), ["king-4-2-poles"]);
    for (names, document) in [
        (&["king", "King"][..], "King"),
        (&["korayem", "korayem-shafei", "Korayem and Shafei"], "Korayem and Shafei"),
        (&["akmehmet"], "Akmehmet"),
        (&["003", "manipulators"], "003"),
        (&["theodore", "theodore-ghosal"], "Theodore and Ghosal"),
        (&["beyond"], "Beyond"),
    ] {
        let all = count(&|entry| entry.document.word() == document);
        for name in names {
            let found = gallery.named(name);
            assert!(found.len() == all && all > 1, "{name}: {} of {all}", found.len());
            assert!(found.iter().all(|entry| entry.document.word() == document), "{name}");
        }
    }
    assert_eq!(of("King-3"), ["king-3-2-frequencies", "king-3-4-shapes", "king-3-6-release"]);
    assert_eq!(of("").len() + of("kong").len() + of("king-9").len(), 0);
    assert_eq!(gallery.nearest("kng"), Some("king"));
    assert_eq!(gallery.nearest("king-4-2-pole"), Some("king-4-2-poles"));
    // by what the entry says, whatever its folder is called
    let folder = copy("mine", "king-2-8-counts", "entry.toml", ["King", "King"]);
    let other = folder.with_file_name("mine");
    let _ = std::fs::remove_dir_all(&other);
    std::fs::rename(&folder, &other).expect("renamed");
    let mine = in_folder(&other);
    assert_eq!(mine.named("king").len(), 1);
    assert_eq!(mine.named("mi").len(), 1);
}

/// A word in the file does not hide a number that agrees: of King's poles those that are zero.
#[test]
fn what_agrees_is_reproduced_whatever_the_entry_says() {
    let result = computed(&embedded(), "king-4-2-poles");
    let (mut zeros, mut given_up) = (0, 0);
    for row in &result.rows {
        let Some(printed) = row.printed else { continue };
        let decimals = i32::try_from(row.decimals.expect("digits")).expect("few");
        let apart = (row.ours.expect("a number") - printed).abs();
        let is_met = apart <= (0.01 * printed.abs()).max(1.000_001 * 10_f64.powi(-decimals));
        let verdict =
            if is_met { GalleryVerdict::Reproduced } else { GalleryVerdict::NotReproducible };
        assert_eq!(row.verdict, verdict, "{row:?}");
        zeros += usize::from(is_met && printed == 0.0);
        given_up += usize::from(!is_met);
    }
    assert!(zeros >= 6 && given_up >= 20, "{zeros} {given_up}");
}

/// What is missing stands on the pages with its reason, and rows are those of the others.
#[test]
fn pages_name_what_is_missing() {
    let gallery = embedded();
    let lack = gallery.entry("king-4-2-poles").expect("an entry").lack("line 3: <b> is wrong");
    let other = gallery.entry("beyond-buckling").expect("an entry").lack("interrupted");
    let results = [computed(&gallery, "king-2-8-counts")];
    let all = pages(&results, &[lack, other], &|_| String::new());
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["index.html", "king.html", "beyond.html"]);
    let [index, king, beyond] = [0, 1, 2].map(|k: usize| all[k].1.as_str());
    assert!(index.contains("2 entries are not computed"));
    assert!(index.contains("href=\"king.html#king-4-2-poles\""));
    assert!(king.contains("1 entry is not computed") && king.contains("id=\"king-2-8-counts\""));
    assert!(king.contains("Not computed: line 3: &lt;b&gt; is wrong"));
    assert!(beyond.contains("Not computed: interrupted"));
    let whole = pages(&results, &[], &|_| String::new());
    assert!(whole.iter().all(|(_, page)| !page.contains("ot computed")));
}

/// What a run warns of is told once for each kind, with its rows, on the page and not in the rows.
#[test]
fn pages_tell_what_runs_warn_of() {
    let quick = ["duration = \"20 s\"", "duration = \"3 s\""];
    let folder = copy("gallery-warned", "beyond-spin-up", "up.toml", quick);
    let result = computed(&in_folder(&folder), "beyond-spin-up");
    let result = &result;
    assert!(!result.warnings.is_empty(), "no warning");
    let warning = &result.warnings[0];
    assert!(warning.text.starts_with("link \"boom\""), "{warning:?}");
    let texts: std::collections::BTreeSet<_> =
        result.warnings.iter().map(|warning| &warning.text).collect();
    assert_eq!(texts.len(), result.warnings.len());
    let page = &pages(std::slice::from_ref(result), &[], &|_| String::new())[1].1;
    assert!(page.contains("pliant warns") && page.contains("Of: "), "no warning");
    assert!(!json([result]).contains("beyond its range"));
    let calm = computed(&embedded(), "king-2-8-counts");
    assert_eq!(calm.warnings, []);
}

/// Pages have the files from which they were computed.
#[test]
fn pages_have_the_files_of_entries() {
    let result = computed(&embedded(), "king-3-2-frequencies");
    let names: Vec<&str> = result.files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["entry.toml", "arm.toml", "posture.toml"]);
    let page = &pages(std::slice::from_ref(&result), &[], &|_| String::new())[1].1;
    for name in names {
        let id = format!("king-3-2-frequencies.{name}");
        assert!(page.contains(&format!("<details id=\"{id}\">")), "{name}");
    }
    assert!(page.contains("href=\"#king-3-2-frequencies.posture.toml\""));
    assert!(page.contains("document = &quot;King&quot;"));
}
