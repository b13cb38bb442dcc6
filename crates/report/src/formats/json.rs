//! The document itself.

use fathom_core::result::RunResult;

pub(crate) fn render(result: &RunResult) -> String {
    result.to_json()
}
