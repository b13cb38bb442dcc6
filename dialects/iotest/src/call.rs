//! `iotest.sh` called.

use super::{Wishes, translate_argv};
use fathom_tools::call::{Call, Given, Refusal, Reply};
use fathom_tools::rebinding::{Kind, after_letter};
use fathom_tools::translation::Translation;
use std::path::Path;

struct Script {
    translation: Translation,
    full: bool,
}

/// Answers a call.
pub(super) fn answer(given: &Given<'_>) -> Result<Reply, Refusal> {
    let wishes = Wishes {
        cold: given.beside.cold,
        incompressible: given.beside.incompressible,
    };
    let words = after_letter(
        "-t",
        given.words,
        &given.beside.targets,
        Kind::Folders,
        given.surroundings,
    )?;
    Ok(Reply::Run(Box::new(Script {
        translation: translate_argv(&words, wishes)?,
        full: given.beside.full,
    })))
}

impl Call for Script {
    fn translation(&self) -> &Translation {
        &self.translation
    }

    fn translation_mut(&mut self) -> &mut Translation {
        &mut self.translation
    }

    fn format(&self) -> Option<&'static str> {
        Some(if self.full { "iotest" } else { "brief" })
    }

    /// The script asks for it before anything else.
    fn directory(&self) -> Option<&Path> {
        let phases = &self.translation.workload.phases;
        let jobs = phases.iter().flat_map(|phase| &phase.jobs);
        let file = jobs.flat_map(|job| &job.targets).next()?;
        Path::new(file).parent()
    }
}
