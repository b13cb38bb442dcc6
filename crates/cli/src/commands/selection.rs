//! From what the user calls a workload to the workload.

use crate::error::{Error, Problem, system_words};
use crate::exit::Exit;
use fathom_core::spec::Workload;
use fathom_device::input;
use fathom_explain::language;
use fathom_tools::native;
use fathom_tools::profiles::{self, Profile, ProfileError};

/// The workload of a profile's name or of a file. A word with a slash or ending in `.toml` is a
/// file, so that a file in the current directory never hides a profile.
pub(crate) fn workload(name: &str) -> Result<Workload, Error> {
    if is_file_name(name) {
        let text = input::read_text(name).map_err(|error| {
            Problem::new(Exit::Usage, format!("cannot read the workload {name}"))
                .because(system_words(&error))
                .remedy("use a TOML file, or a name that `fathom profiles` lists")
        })?;
        return native::parse(&text, name).map_err(|errors| match language(&text) {
            Some((what, advice)) => Problem::new(Exit::Usage, format!("{name} is {what}"))
                .because("a workload is a TOML file or a profile")
                .remedy(advice)
                .into(),
            None => Error::Text(errors),
        });
    }
    profile(name)?.workload().map_err(Error::Text)
}

pub(super) fn is_file_name(name: &str) -> bool {
    let extension = std::path::Path::new(name).extension();
    name.contains('/') || extension.is_some_and(|extension| extension == "toml")
}

pub(crate) fn profile(name: &str) -> Result<&'static Profile, Problem> {
    const LIST: &str = "`fathom profiles` lists them; a file ends in .toml or has a slash";
    profiles::choose(name).map_err(|error| match error {
        ProfileError::Ambiguous {
            name,
            reason,
            choices,
        } => Problem::new(Exit::Usage, format!("there is no profile `{name}`"))
            .because(reason)
            .remedy(choices),
        ProfileError::Word { name, choices } => unknown(&name).remedy(choices),
        ProfileError::Misspelt { name, nearest } => unknown(&name).remedy(nearest),
        ProfileError::Unknown { name } => unknown(&name).remedy(LIST),
    })
}

fn unknown(name: &str) -> Problem {
    Problem::new(Exit::Usage, format!("there is no profile `{name}`"))
}
