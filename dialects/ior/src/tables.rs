//! A program called that says its tables when the run has ended, on standard output.

use fathom_core::result::RunResult;
use fathom_tools::call::{Call, Reply, Said};
use fathom_tools::translation::Translation;
use std::collections::BTreeSet;

struct Tables {
    translation: Translation,
    render: fn(&RunResult) -> String,
}

/// The processes that a result is of, and the hosts on which they ran.
pub(crate) fn processes_and_nodes(result: &RunResult) -> (usize, usize) {
    let Some(all) = &result.cluster else {
        return (1, 1);
    };
    let hosts: BTreeSet<&str> = all.members.iter().map(|one| &*one.host).collect();
    (all.members.len(), hosts.len())
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
