//! Trends as one file for a browser: a chart and a table for each metric. It has no script and
//! fetches nothing.

use super::{tables, text};
use crate::assets::{PLAN_STYLE, STYLE, style_policy};
use crate::drawing::PictureView;
use crate::formats::html::view::TableView;
use crate::picture::{Axis, Picture, PictureLine, Scale};
use askama::Template;
use fathom_core::result::metric::Unit;
use fathom_verdict::trend::{Trend, Trends};

/// Runs that a chart shows one by one; of more, every second, third and so on.
const DRAWN: usize = 1_000;
/// Metrics with a chart.
const CHARTS: usize = 20;

#[derive(Template)]
#[template(path = "trend.html")]
struct View<'a> {
    policy: String,
    style: &'a str,
    plan_style: &'a str,
    headline: String,
    sections: Vec<Section<'a>>,
    more: Vec<String>,
}

struct Section<'a> {
    title: String,
    /// Where the headline does not say it.
    answer: Option<String>,
    place: String,
    picture: PictureView<'a>,
    table: Option<TableView>,
    changes: Vec<String>,
}

/// The page.
pub(super) fn render(trends: &Trends) -> String {
    let (charted, rest) = trends.trends.split_at(trends.trends.len().min(CHARTS));
    let pictures: Vec<(Picture, String)> = charted.iter().map(picture).collect();
    let sections = charted
        .iter()
        .zip(&pictures)
        .map(|(trend, (picture, note))| {
            let changes = trend.changes();
            let words = changes.map(|(change, factors)| trend.change_words(change, factors));
            Section {
                title: trend.subject(),
                answer: (trends.trends.len() > 1).then(|| trend.sentence()),
                place: text::place(trend),
                picture: PictureView::of(picture, note),
                table: tables::levels(trend)
                    .map(|table| TableView::of("Levels", &table, Vec::new())),
                changes: words.collect(),
            }
        });
    View {
        policy: style_policy(),
        style: STYLE.text,
        plan_style: PLAN_STYLE.text,
        headline: trends.headline(),
        sections: sections.collect(),
        more: rest.iter().map(Trend::sentence).collect(),
    }
    .render()
    .expect("a template of ours writes to memory")
}

/// The runs and their levels.
fn picture(trend: &Trend) -> (Picture, String) {
    let (unit, parts) = match trend.metric.unit() {
        Unit::Nanos => ("ms", 1e6),
        Unit::BytesPerSecond => ("MB/s", 1e6),
        _ => ("IOPS", 1.0),
    };
    let points = &trend.series.points;
    let each = points.len().div_ceil(DRAWN).max(1);
    let runs = points.iter().enumerate().step_by(each);
    let runs = runs.filter_map(|(at, point)| Some(((at + 1) as f64, point.value? / parts)));
    let runs: Vec<(f64, f64)> = runs.collect();
    let levels = trend.found.iter().flat_map(|found| &found.changes.levels);
    let level = levels.flat_map(|level| {
        let (begin, median) = ((level.begin + 1) as f64, level.median / parts);
        let end = begin + level.runs as f64;
        // A gap between two levels, as nothing was measured on the way.
        [(begin, median), (end - 1.0, median), (end - 0.5, f64::NAN)]
    });
    let picture = Picture {
        title: "Runs and their levels".to_owned(),
        x: Axis::new("run", Scale::Linear),
        y: Axis::new(format!("{} ({unit})", trend.metric.name()), Scale::Near),
        lines: vec![
            PictureLine::new("run", 0, runs).as_points().pale(),
            PictureLine::new("median of the level", 1, level.collect()),
        ],
    };
    let note = if each == 1 {
        "each point is a run, the earliest first".to_owned()
    } else {
        format!("one of {each} runs is drawn, the earliest first")
    };
    (picture, note)
}
