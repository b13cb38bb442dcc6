//! Pictures: lines over two axes. `drawing` draws them, in a page as its charts are, and in a file
//! of its own.

pub(crate) mod axis;

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
    pub lines: Vec<PictureLine>,
}

/// One line, or single points.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureLine {
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

impl PictureLine {
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
