//! The whole comparison for programs.

use fathom_verdict::compare::Comparison;

pub(super) fn render(comparison: &Comparison) -> String {
    let mut text = serde_json::to_string_pretty(comparison).expect("all keys are strings");
    text.push('\n');
    text
}
