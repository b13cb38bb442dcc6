//! A program called that says its tables when the run has ended, on standard output.

use fathom_core::result::RunResult;
use fathom_tools::call::{Call, Reply, Said};
use fathom_tools::translation::Translation;

struct Tables {
    translation: Translation,
    render: fn(&RunResult) -> String,
}

/// A run whose result `render` lays out.
pub(crate) fn reply(translation: Translation, render: fn(&RunResult) -> String) -> Reply {
    Reply::Run(Box::new(Tables {
        translation,
        render,
    }))
}

impl Call for Tables {
    fn translation(&self) -> &Translation {
        &self.translation
    }

    fn translation_mut(&mut self) -> &mut Translation {
        &mut self.translation
    }

    fn said(&self, result: &RunResult, asked: bool, _: bool) -> Said {
        let out = if asked {
            String::new()
        } else {
            (self.render)(result)
        };
        Said {
            out,
            judged: true,
            ..Said::default()
        }
    }
}
