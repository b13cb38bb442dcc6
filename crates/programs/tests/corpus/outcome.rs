//! What a text of another program is translated to.

use fathom_core::spec::validate::validate;
use fathom_tools::{Diagnostic, Translation};

pub(crate) type Translated = Result<Translation, Vec<Diagnostic>>;

/// What is translated is valid, and what is not says why.
pub(crate) fn check(outcome: &Translated) {
    match outcome {
        Ok(translation) => assert_eq!(validate(&translation.workload), []),
        Err(errors) => {
            let drawn: String = errors.iter().map(ToString::to_string).collect();
            assert_ne!(drawn, "");
        }
    }
}
