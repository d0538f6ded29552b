//! `pliant explain`: what an error code means, and what the keys of files mean.

use crate::figures::table;
use crate::output::{Failure, Output};
use clap::Args;
use pliant_io::codes;

/// Explain an error code or the keys of files, or list all codes
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant explain pliant::arm::unknown-parent\n  \
    pliant explain unknown-parent\n  \
    pliant explain                      lists all codes\n  \
    pliant explain keys                 every key of arm files, scenarios and states\n  \
    pliant explain keys link            those of a link; also joint, section, tube, controller")]
pub(crate) struct Explain {
    /// The code shown above an error, or its last part; or "keys"
    code: Option<String>,

    /// After "keys": the table whose keys to print, such as link
    #[arg(value_name = "SECTION")]
    section: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let Some(name) = &self.code else {
            let lines = codes::all().map(|code| vec![code.name.to_owned(), code.title.to_owned()]);
            return output.data(&table(&lines.collect::<Vec<_>>(), 2));
        };
        match (name.as_str(), &self.section) {
            ("keys", None) => return output.data(&pliant_io::key_page()),
            ("keys", Some(section)) => {
                let unknown = |help| Failure::input(format!("there is no table {section:?}"), help);
                return output.data(&pliant_io::key_sections(section).map_err(unknown)?);
            }
            (_, Some(section)) => {
                let message = format!("{section:?} follows the code {name:?}");
                return Err(Failure::input(message, "write pliant explain keys SECTION"));
            }
            (_, None) => {}
        }
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
