//! The picture as SVG.

use super::axis::Ruler;
use super::{Line, Picture};
use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
/// Height of the plot without title, legend and axis below.
const PLOT: f64 = 270.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 32.0;
const TITLE: f64 = 30.0;
const LEGEND_LINE: f64 = 18.0;
const BELOW: f64 = 46.0;
/// Colours that the style knows.
const COLORS: usize = 8;
/// Width of a letter of the legend, as far as anybody can say without a font.
const LETTER: f64 = 6.4;
const SWATCH: f64 = 26.0;

/// Rectangle of the plot and the axes.
struct Plot {
    top: f64,
    x: Ruler,
    y: Ruler,
}

pub(super) fn svg(picture: &Picture, style: &str) -> String {
    let all = || picture.lines.iter().flat_map(|line| &line.points);
    let (legend, legend_lines) = legend(&picture.lines);
    let plot = Plot {
        top: TITLE + LEGEND_LINE * legend_lines as f64 + 20.0,
        x: picture.x.ruler(all().map(|point| point.0)),
        y: picture.y.ruler(all().map(|point| point.1)),
    };
    let height = plot.top + PLOT + BELOW;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 {WIDTH} \
         {height}\" role=\"img\" aria-label=\"{}\">\n{style}",
        escaped(&picture.title)
    );
    let _ = writeln!(
        out,
        "<rect class=\"ground\" width=\"{WIDTH}\" height=\"{height}\"/>\n\
         <text class=\"title\" x=\"12\" y=\"20\">{}</text>",
        escaped(&picture.title)
    );
    out.push_str(&legend);
    axes(&mut out, picture, &plot);
    for line in &picture.lines {
        draw(&mut out, line, &plot);
    }
    out.push_str("</svg>\n");
    out
}

/// Names with their swatches, in as many lines as they need.
fn legend(lines: &[Line]) -> (String, usize) {
    let mut out = String::new();
    let (mut x, mut row) = (12.0, 0_usize);
    for line in lines {
        let width = SWATCH + line.label.chars().count() as f64 * LETTER + 18.0;
        if x > 12.0 && x + width > WIDTH {
            x = 12.0;
            row += 1;
        }
        let y = TITLE + 10.0 + LEGEND_LINE * row as f64;
        if line.is_points {
            let _ = writeln!(
                out,
                "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"4\"/>",
                class(line),
                number(x + 10.0),
                number(y - 4.0)
            );
        } else {
            let _ = writeln!(
                out,
                "<path class=\"{}\" d=\"M{} {}h20\"/>",
                class(line),
                number(x),
                number(y - 4.0)
            );
        }
        let _ = writeln!(
            out,
            "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>",
            number(x + SWATCH),
            number(y),
            escaped(&line.label)
        );
        x += width;
    }
    (out, row + 1)
}

fn axes(out: &mut String, picture: &Picture, plot: &Plot) {
    for (value, words) in &plot.y.ticks {
        let Some(y) = plot.y(*value) else { continue };
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{LEFT} {0}H{1}\"/>\
             <text class=\"tick end\" x=\"{2}\" y=\"{3}\">{words}</text>",
            number(y),
            number(WIDTH - RIGHT),
            number(LEFT - 6.0),
            number(y + 4.0)
        );
    }
    let bottom = plot.top + PLOT;
    for (value, words) in &plot.x.ticks {
        let Some(x) = plot.x(*value) else { continue };
        let _ = writeln!(
            out,
            "<path class=\"axis\" d=\"M{0} {1}v5\"/>\
             <text class=\"tick middle\" x=\"{0}\" y=\"{2}\">{words}</text>",
            number(x),
            number(bottom),
            number(bottom + 18.0)
        );
    }
    let _ = writeln!(
        out,
        "<path class=\"axis\" d=\"M{LEFT} {0}V{1}H{2}\"/>\n\
         <text class=\"tick\" x=\"12\" y=\"{3}\">{4}</text>\n\
         <text class=\"tick end\" x=\"{2}\" y=\"{5}\">{6}</text>",
        number(plot.top),
        number(bottom),
        number(WIDTH - RIGHT),
        number(plot.top - 8.0),
        escaped(&picture.y.title),
        number(bottom + 36.0),
        escaped(&picture.x.title)
    );
}

fn draw(out: &mut String, line: &Line, plot: &Plot) {
    if line.is_points {
        for &(x, y) in &line.points {
            if let (Some(at_x), Some(at_y)) = (plot.x(x), plot.y(y)) {
                let _ = writeln!(
                    out,
                    "<circle class=\"{}\" cx=\"{}\" cy=\"{}\" r=\"4\"><title>{}: {x}, \
                     {y}</title></circle>",
                    class(line),
                    number(at_x),
                    number(at_y),
                    escaped(&line.label)
                );
            }
        }
        return;
    }
    let mut path = String::new();
    let mut pen = 'M';
    for &(x, y) in &line.points {
        match (plot.x(x), plot.y(y)) {
            (Some(x), Some(y)) => {
                let _ = write!(path, "{pen}{} {}", number(x), number(y));
                pen = 'L';
            }
            _ => pen = 'M',
        }
    }
    let _ = writeln!(
        out,
        "<path class=\"{}\" d=\"{path}\"><title>{}</title></path>",
        class(line),
        escaped(&line.label)
    );
}

impl Plot {
    fn x(&self, value: f64) -> Option<f64> {
        Some(LEFT + self.x.share(value)? * (WIDTH - LEFT - RIGHT))
    }

    fn y(&self, value: f64) -> Option<f64> {
        Some(self.top + (1.0 - self.y.share(value)?) * PLOT)
    }
}

fn class(line: &Line) -> String {
    let color = line.color % COLORS;
    let kind = match (line.is_points, line.is_dashed) {
        (true, false) => "dot",
        (true, true) => "dot hollow",
        (false, false) => "line",
        (false, true) => "line dashed",
    };
    let pale = if line.is_pale { " pale" } else { "" };
    format!("{kind}{pale} c{color}")
}

/// A place, to a tenth: finer than any screen.
fn number(value: f64) -> String {
    let tenth = (value * 10.0).round() / 10.0;
    format!("{tenth}")
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}
