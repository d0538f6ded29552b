//! `pliant explain`: what an error code means.

use crate::figures::table;
use crate::output::{Failure, Output};
use clap::Args;
use pliant_io::codes;

/// Explain an error code, or list all of them
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant explain pliant::arm::unknown-parent\n  \
    pliant explain unknown-parent\n  \
    pliant explain                      lists all codes")]
pub(crate) struct Explain {
    /// The code, as it stands above an error; its last part is enough
    code: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let Some(name) = &self.code else {
            let lines = codes::all().map(|code| vec![code.name.to_owned(), code.title.to_owned()]);
            return output.data(&table(&lines.collect::<Vec<_>>(), 2));
        };
        match codes::find(name) {
            Some(code) => output.data(&format!("{}: {}\n\n{}", code.name, code.title, code.page)),
            None => Err(Failure::input(
                format!("there is no code {name:?}"),
                match codes::nearest(name) {
                    Some(near) => format!("did you mean {}?", near.name),
                    None => "pliant explain lists all codes".to_owned(),
                },
            )),
        }
    }
}
