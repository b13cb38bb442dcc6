//! How lines look: a class for the colour, and for runs a dash and a marker too, which grey paper
//! and the colour-blind tell apart.

use std::fmt::Write as _;

/// Runs that look different; more begin again.
const RUNS: usize = 8;
/// Dashes of runs, in pixels; the first is solid.
const DASHES: [&str; RUNS] = [
    "",
    "8 4",
    "2 3",
    "10 3 2 3",
    "5 2",
    "14 4",
    "1 5",
    "6 2 2 2 2 2",
];
/// Markers of runs: outlines around their middle.
const MARKERS: [&str; RUNS] = [
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "M-3.2 -3.2h6.4v6.4h-6.4z",
    "M0 -4L4 3.2H-4z",
    "M0 -4.4L4.4 0L0 4.4L-4.4 0z",
    "M0 4L4 -3.2H-4z",
    "M-4 -1.2H-1.2V-4H1.2V-1.2H4V1.2H1.2V4H-1.2V1.2H-4z",
    "M-4 0h8M0 -4v8",
    "M-3 -3L3 3M-3 3L3 -3",
];

/// How one line is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// Names the colour for the style of the page.
    pub(super) class: String,
    pub(super) dash: &'static str,
    pub(super) marker: Option<&'static str>,
}

impl Look {
    /// The colour by the role of a line; several lines of one role take the colours of runs.
    pub(super) fn of(role: &str, index: usize, is_alone: bool) -> Self {
        if let Some(run) = role.strip_prefix("run ") {
            return Self::run(run.parse().unwrap_or(index));
        }
        let (role, dash) = match role.strip_suffix(" service") {
            Some(op) => (op, "6 4"),
            None => (role, ""),
        };
        if is_alone {
            let class = role.replace('.', "");
            return Self {
                class: format!("c-{class}"),
                dash,
                marker: None,
            };
        }
        Self {
            marker: None,
            ..Self::run(index)
        }
    }

    /// Of a run among several.
    pub(super) fn run(index: usize) -> Self {
        let index = index % RUNS;
        Self {
            class: format!("c-run{index}"),
            dash: DASHES[index],
            marker: Some(MARKERS[index]),
        }
    }

    /// All lines of a panel, by their roles.
    pub(super) fn all(roles: &[&str]) -> Vec<Self> {
        let looks = roles.iter().enumerate().map(|(index, role)| {
            let same = roles.iter().filter(|other| *other == role);
            Self::of(role, index, same.count() == 1)
        });
        looks.collect()
    }

    /// The line itself.
    pub(super) fn line(&self, path: &str, out: &mut String) {
        let dash = self.dash_attribute();
        let _ = write!(
            out,
            "<path class=\"line {}\"{dash} d=\"{path}\"/>",
            self.class
        );
    }

    /// The marker at a place across and pixels from the top.
    pub(super) fn mark(&self, share: f64, top: f64, out: &mut String) {
        if let Some(marker) = self.marker {
            let _ = write!(
                out,
                "<svg x=\"{}%\" y=\"{top}\" overflow=\"visible\"><path class=\"mark {}\" \
                 d=\"{marker}\"/></svg>",
                super::across(share),
                self.class
            );
        }
    }

    fn dash_attribute(&self) -> String {
        if self.dash.is_empty() {
            return String::new();
        }
        format!(" stroke-dasharray=\"{}\"", self.dash)
    }

    pub(super) fn key(&self, label: &str) -> super::Key {
        let mut svg =
            String::from("<svg class=\"key\" viewBox=\"0 -6 26 12\" aria-hidden=\"true\">");
        let dash = self.dash_attribute();
        let _ = write!(
            svg,
            "<path class=\"line {}\"{dash} d=\"M1 0H25\"/>",
            self.class
        );
        if let Some(marker) = self.marker {
            let _ = write!(
                svg,
                "<path class=\"mark {}\" transform=\"translate(13 0)\" d=\"{marker}\"/>",
                self.class
            );
        }
        svg.push_str("</svg>");
        super::Key {
            label: label.to_owned(),
            svg,
        }
    }
}

/// A filled swatch of a class.
pub(crate) fn key_svg(class: &str) -> String {
    format!(
        "<svg class=\"key box\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">\
         <rect class=\"bar {class}\" \
         x=\"1\" y=\"1\" width=\"10\" height=\"10\" rx=\"1\"/></svg>"
    )
}

/// A swatch of the ground of what was not measured.
pub(super) fn shade_key() -> String {
    "<svg class=\"key box\" viewBox=\"0 0 12 12\" aria-hidden=\"true\">\
     <rect class=\"shade edged\" x=\"1\" y=\"1\" width=\"10\" height=\"10\"/></svg>"
        .to_owned()
}
