//! How near the copies are, in a row each.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// What is compared with the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copy {
    /// The application itself, later.
    Again,
    /// The same on the second device.
    AgainElsewhere,
    Replay,
    Twin,
    /// The twin of the first device on the second, compared with the application there.
    TwinElsewhere,
}

impl Copy {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Again => "again",
            Self::AgainElsewhere => "again-elsewhere",
            Self::Replay => "replay",
            Self::Twin => "twin",
            Self::TwinElsewhere => "twin-elsewhere",
        }
    }
}

/// Axes of `fathom learn --json` that are shown, with their headings.
const AXES: [(&str, &str); 6] = [
    ("rate", "rate"),
    ("sizes", "sizes"),
    ("dispersion_10_ms", "10 ms"),
    ("dispersion_100_ms", "100 ms"),
    ("dispersion_1_s", "1 s"),
    ("service_time", "service time"),
];

/// A copy, with the distance on each axis and that of windows of the application.
pub(super) struct Row {
    application: &'static str,
    copy: Copy,
    near: (u64, u64),
    axes: [Option<(f64, Option<f64>)>; AXES.len()],
}

impl Row {
    pub(super) fn read(application: &'static str, copy: Copy, document: &Value) -> Result<Self> {
        let axes = document["fidelity"]["axes"].as_array();
        let axes = axes.context("`learn --json` has no axes")?;
        let of = |(name, _): (&str, &str)| {
            let axis = axes.iter().find(|axis| axis["measure"] == name)?;
            Some((axis["distance"].as_f64()?, axis["floor"].as_f64()))
        };
        let count = |name: &str| document[name].as_u64().unwrap_or(0);
        Ok(Self {
            application,
            copy,
            near: (count("axes_near"), count("axes_compared")),
            axes: AXES.map(of),
        })
    }
}

/// A Markdown table: `distance (floor)` on each axis.
pub(super) fn text(rows: &[Row]) -> String {
    let mut text = "| application | copy | near |".to_owned();
    for (_, heading) in AXES {
        let _ = write!(text, " {heading} |");
    }
    text += "\n| --- | --- | ---: |";
    text += &" ---: |".repeat(AXES.len());
    for row in rows {
        let (near, all) = row.near;
        let _ = write!(
            text,
            "\n| {} | {} | {near} of {all} |",
            row.application,
            row.copy.name()
        );
        for axis in row.axes {
            let cell = match axis {
                Some((distance, Some(floor))) => format!("{distance:.3} ({floor:.3})"),
                Some((distance, None)) => format!("{distance:.3}"),
                None => "--".to_owned(),
            };
            let _ = write!(text, " {cell} |");
        }
    }
    text
}
