//! A configuration file of Iometer, run.

use super::translate::translate_timed;
use fathom_tools::call::{Call, Given, Refusal, Reply};
use fathom_tools::translation::Translation;
use std::path::{Path, PathBuf};

struct Configured {
    translation: Translation,
    table: Option<PathBuf>,
}

/// Answers a call, whose one word is the file.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    let file = given.words.first().map_or("", String::as_str);
    let bytes = (given.read)(file).map_err(|error| Refusal::File {
        thing: format!("cannot read {file}"),
        error,
        remedy: "a configuration file of Iometer (.icf)",
    })?;
    // Names in older files are in code pages of Windows; what cannot be read is only a name.
    let text = String::from_utf8_lossy(&bytes);
    Ok(Reply::Run(Box::new(Configured {
        translation: translate_timed(
            &text,
            file,
            given.beside.is_timed,
            given.surroundings.drives(),
        )?,
        table: given.beside.table.clone(),
    })))
}

impl Call for Configured {
    fn translation(&self) -> &Translation {
        &self.translation
    }

    fn translation_mut(&mut self) -> &mut Translation {
        &mut self.translation
    }

    fn table(&self) -> Option<(&'static str, &Path)> {
        Some(("iometer-csv", self.table.as_deref()?))
    }
}
