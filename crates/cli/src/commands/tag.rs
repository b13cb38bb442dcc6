//! `fathom tag`: names for runs.

use super::archive;
use crate::args::TagArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;

pub(crate) fn run(args: &TagArgs) -> Result<Exit, Error> {
    for name in &args.name {
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(Problem::new(Exit::Usage, format!("`{name}` is no tag"))
                .because("a tag is a word without spaces")
                .remedy("`fathom note` for sentences")
                .into());
        }
    }
    let mut store = archive::open_existing(args.store.store.as_deref())?;
    let run_id = archive::run_id(&store, &args.run)?;
    for name in &args.name {
        if !args.remove {
            let tagged = store.tag(&run_id, name);
            tagged.map_err(|error| archive::problem(&error))?;
        } else if !store
            .untag(&run_id, name)
            .map_err(|error| archive::problem(&error))?
        {
            return Err(
                Problem::new(Exit::Usage, format!("{run_id} has no tag `{name}`"))
                    .remedy("`fathom history` shows the tags")
                    .into(),
            );
        }
    }
    Ok(Exit::Ok)
}
