//! A table in a live view: where it gets narrow columns go, never digits.

use fathom_core::table::Table;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Style, Stylize as _};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;

/// Draws the heads and the rows, each row in its style.
pub(crate) fn draw(
    frame: &mut Frame<'_>,
    table: &Table,
    style: impl Fn(usize) -> Style,
    area: Rect,
) {
    let lines = table.lines(usize::from(area.width), false);
    let lines = lines
        .into_iter()
        .enumerate()
        .map(|(index, line)| match index {
            0 => Line::from(line).dim(),
            row => Line::from(line).style(style(row - 1)),
        });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}
