//! A chart with what stands around it.

use crate::charts::{Body, Chart};
use crate::drawing::{Key, draw, escaped};
use askama::Template;
use std::fmt::Write as _;

/// A chart for the template.
#[derive(Debug, Template)]
#[template(path = "chart.html")]
pub(crate) struct ChartView {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) note: String,
    /// Over the whole width.
    pub(crate) is_wide: bool,
    pub(crate) keys: Vec<Key>,
    pub(crate) svg: String,
    pub(crate) edges: String,
    pub(crate) spoken: String,
    /// The numbers, as markup.
    pub(crate) table: String,
}

impl ChartView {
    pub(crate) fn of(id: &str, chart: &Chart) -> Self {
        let drawn = draw(chart);
        let is_wide = match &chart.body {
            Body::Course(course) => course.strips.len() > 2 || !course.axis.marks.is_empty(),
            Body::HeatMap(..) | Body::HostMap(..) | Body::Ramp(_) => true,
            Body::Bars(bars) => bars.groups.len() > 12,
            Body::Curve(_) | Body::Steps(_) => false,
        };
        Self {
            id: id.to_owned(),
            title: chart.title.clone(),
            note: chart.note.clone(),
            is_wide,
            keys: drawn.keys,
            svg: drawn.svg,
            edges: drawn.edges,
            spoken: drawn.spoken,
            table: table(&drawn.heads, &drawn.rows),
        }
    }

    /// The charts of a section, numbered within it.
    pub(crate) fn all(section: &str, charts: &[Chart]) -> Vec<Self> {
        let charts = charts.iter().enumerate();
        let view = |(index, chart)| Self::of(&format!("{section}-c{}", index + 1), chart);
        charts.map(view).collect()
    }
}

/// A table in few bytes: rows and cells end where the next begins.
fn table(heads: &[String], rows: &[Vec<String>]) -> String {
    let mut out = String::from("<table class=\"figures\"><thead><tr>");
    for head in heads {
        let _ = write!(out, "<th scope=\"col\">{}", escaped(head));
    }
    out.push_str("<tbody>");
    for row in rows {
        out.push_str("\n<tr>");
        for (index, cell) in row.iter().enumerate() {
            let name = if index == 0 { "th" } else { "td" };
            let _ = write!(out, "<{name}>{}", escaped(cell));
        }
    }
    out.push_str("</table>");
    out
}
