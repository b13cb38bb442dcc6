//! Whole screens for the tests of the views, compared with files in the same folder.

use ratatui::backend::TestBackend;
use ratatui::{Frame, Terminal};
use std::path::Path;

/// What a view draws on a terminal of `width` columns and `height` rows.
pub(crate) fn drawn(width: u16, height: u16, draw: impl FnOnce(&mut Frame<'_>)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(draw).unwrap();
    let buffer = terminal.backend().buffer();
    let mut text = String::new();
    for row in buffer.content().chunks(usize::from(width)) {
        let line: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Compares a screen with `snapshots/NAME.txt`; with `FATHOM_WRITE_SCREENS` set, writes it.
pub(crate) fn check(name: &str, drawn: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/live/snapshots");
    let path = folder.join(format!("{name}.txt"));
    if std::env::var_os("FATHOM_WRITE_SCREENS").is_some() {
        #[expect(clippy::disallowed_methods, reason = "a test makes files of its own")]
        std::fs::write(&path, drawn).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(drawn, expected, "{name}");
}
