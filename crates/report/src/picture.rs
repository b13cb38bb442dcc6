//! Pictures that need no script: lines over two axes as SVG, the same bytes for the same figures.
//!
//! In a page they are drawn as its charts are (`drawing`); a file of its own carries its colours,
//! for bright and for dark surroundings.

pub(crate) mod axis;
mod draw;

pub use axis::{Axis, Scale};

/// Lines over two axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// What it shows.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What is drawn, in the order of the legend.
    pub lines: Vec<Line>,
}

/// One line, or single points.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name in the legend.
    pub label: String,
    /// Its colour, by its place among those of the page, from 0.
    pub color: usize,
    /// Dashed: what does not last.
    pub is_dashed: bool,
    /// Points instead of a line.
    pub is_points: bool,
    /// Pale: there, and beaten by others.
    pub is_pale: bool,
    /// Where it goes. What is not a number, or not above zero on a logarithmic axis, breaks it.
    pub points: Vec<(f64, f64)>,
}

impl Line {
    /// A solid line.
    pub fn new(label: impl Into<String>, color: usize, points: Vec<(f64, f64)>) -> Self {
        Self {
            label: label.into(),
            color,
            is_dashed: false,
            is_points: false,
            is_pale: false,
            points,
        }
    }

    /// The same, dashed.
    #[must_use]
    pub fn dashed(self) -> Self {
        Self {
            is_dashed: true,
            ..self
        }
    }

    /// The same, pale.
    #[must_use]
    pub fn pale(self) -> Self {
        Self {
            is_pale: true,
            ..self
        }
    }

    /// Its points alone.
    #[must_use]
    pub fn as_points(self) -> Self {
        Self {
            is_points: true,
            ..self
        }
    }
}

impl Picture {
    /// As a file of its own.
    pub fn file(&self) -> String {
        let style = format!("<style>\n{OWN_COLORS}{STYLE}</style>\n");
        draw::svg(self, &style)
    }
}

/// How the parts of a picture look; the colours are variables.
const STYLE: &str = include_str!("../assets/picture.css");

/// The colours for a file of its own: those of reports.
const OWN_COLORS: &str = include_str!("../assets/picture-colors.css");

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        Picture {
            title: "IOPS & size".to_owned(),
            x: Axis::new("GiB", Scale::Linear),
            y: Axis::new("IOPS", Scale::Log),
            lines: vec![
                Line::new(
                    "sustained",
                    0,
                    vec![(0.0, 100.0), (500.0, 1_500.0), (1_000.0, 3_000.0)],
                ),
                Line::new("burst", 0, vec![(0.0, 3_000.0), (1_000.0, 3_000.0)]).dashed(),
                Line::new(
                    "gap",
                    1,
                    vec![(0.0, 0.0), (200.0, 200.0), (400.0, f64::NAN)],
                )
                .as_points(),
            ],
        }
    }

    #[test]
    fn a_picture_is_the_same_every_time() {
        insta::assert_snapshot!("picture", picture().file());
    }

    #[test]
    fn a_picture_is_well_formed() {
        let text = picture().file();
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
