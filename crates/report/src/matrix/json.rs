//! The whole matrix for programs.

use fathom_verdict::compare::Matrix;

pub(super) fn render(matrix: &Matrix) -> String {
    let mut text = serde_json::to_string_pretty(matrix).expect("all keys are strings");
    text.push('\n');
    text
}
