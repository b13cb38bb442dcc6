//! A picture as a file of its own: the drawing that pages have, with title, legend and the colours
//! of pages around it.

use super::{Key, escaped, picture, tenth};
use crate::assets::STYLE;
use crate::picture::Picture;
use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
/// Left and right of the plot.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TITLE: f64 = 30.0;
const LEGEND_LINE: f64 = 18.0;
const SWATCH: f64 = 32.0;
/// Width of a letter of the legend, as far as anybody can say without a font.
const LETTER: f64 = 6.4;
/// What a file has instead of the page around it.
const OWN: &str = "\
.panel { overflow: visible; } svg { font: 11px system-ui, sans-serif; }
.ground { fill: var(--card); } .name, .title { fill: var(--ink); }
.legend { font-size: 12px; } .title { font-size: 14px; font-weight: 600; }
";

/// A picture as an SVG file of its own, the same bytes for the same figures.
pub fn file(drawn: &Picture) -> String {
    let (panel, height, keys) = picture(drawn);
    let (legend, lines) = legend(&keys);
    let top = TITLE + LEGEND_LINE * lines as f64 + 8.0;
    let height = top + height + 8.0;
    let title = escaped(&drawn.title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{title}\">\n<style>\n{}</style>\n",
        style()
    );
    let plot = WIDTH - LEFT - RIGHT;
    let _ = writeln!(
        out,
        "<rect class=\"ground\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"12\" y=\"20\">{title}</text>\n{legend}\
         <svg x=\"{LEFT}\" y=\"{top}\" width=\"{plot}\" overflow=\"visible\">{panel}</svg>\n</svg>"
    );
    out
}

/// The colours of pages and how they draw.
fn style() -> String {
    let between = |from: &str, to: &str| {
        let (_, rest) = STYLE.text.split_once(from).unwrap_or_default();
        rest.split_once(to).map_or("", |(own, _)| own)
    };
    let colors = between(":root {", "}\n");
    let drawings = between("/* drawings { */\n", "/* } */");
    format!("svg {{{colors}}}\n{drawings}{OWN}")
}

/// Names with their swatches, in as many lines as they need.
fn legend(keys: &[Key]) -> (String, usize) {
    let mut out = String::new();
    let (mut x, mut row) = (12.0, 0_usize);
    for key in keys {
        let width = SWATCH + key.label.chars().count() as f64 * LETTER + 18.0;
        if x > 12.0 && x + width > WIDTH {
            x = 12.0;
            row += 1;
        }
        let y = TITLE + LEGEND_LINE * row as f64;
        let _ = writeln!(
            out,
            "<svg x=\"{}\" y=\"{y}\" width=\"26\" height=\"12\">{}</svg>\
             <text class=\"name legend\" x=\"{}\" y=\"{}\">{}</text>",
            tenth(x),
            key.svg,
            tenth(x + SWATCH),
            y + 10.0,
            escaped(&key.label)
        );
        x += width;
    }
    (out, row + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Axis, PictureLine, Scale};

    fn drawn() -> Picture {
        Picture {
            title: "IOPS & size".to_owned(),
            x: Axis::new("GiB", Scale::Linear),
            y: Axis::new("IOPS", Scale::Log),
            lines: vec![
                PictureLine::new(
                    "sustained",
                    0,
                    vec![(0.0, 100.0), (500.0, 1_500.0), (1_000.0, 3_000.0)],
                ),
                PictureLine::new("burst", 0, vec![(0.0, 3_000.0), (1_000.0, 3_000.0)]).dashed(),
                PictureLine::new(
                    "gap",
                    1,
                    vec![(0.0, 0.0), (200.0, 200.0), (400.0, f64::NAN)],
                )
                .as_points(),
            ],
        }
    }

    #[test]
    fn a_file_is_the_same_every_time() {
        insta::assert_snapshot!("picture", file(&drawn()));
    }

    #[test]
    fn a_file_has_the_colours_of_the_page_and_is_well_formed() {
        let text = file(&drawn());
        assert_eq!(text.matches("--s0: light-dark(").count(), 1);
        assert_eq!(text.matches("\n.line {").count(), 1);
        let mut reader = quick_xml::Reader::from_str(&text);
        let mut elements = 0;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Start(_) => elements += 1,
                _ => {}
            }
        }
        assert_eq!(elements, text.matches("</").count());
    }
}
