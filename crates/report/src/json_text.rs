//! A whole evaluation as JSON, for programs.

use serde::Serialize;

/// The text, with a line end.
pub(crate) fn json_text(evaluation: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(evaluation).expect("all keys are strings");
    text.push('\n');
    text
}
