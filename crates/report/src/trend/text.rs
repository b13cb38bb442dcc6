//! Trends for a terminal.

use super::tables;
use crate::figure::plural;
use crate::page::Page;
use crate::text_options::TextOptions;
use fathom_verdict::trend::{Trend, Trends};

/// Metrics without a change that one screen lists.
const LISTED: usize = 8;

pub(super) fn brief(trends: &Trends, options: TextOptions) -> String {
    let mut page = answer(trends, options);
    let is_alone = trends.trends.len() == 1;
    let (shown, rest): (Vec<&Trend>, Vec<&Trend>) = trends
        .trends
        .iter()
        .partition(|trend| is_alone || trend.got_worse().is_some());
    for trend in shown {
        show(&mut page, trend, is_alone);
    }
    if !rest.is_empty() {
        page.blank();
    }
    for trend in rest.iter().take(LISTED) {
        page.footnote(&trend.sentence());
    }
    if rest.len() > LISTED {
        let more = plural((rest.len() - LISTED) as u64, "more metric");
        page.footnote(&format!("{more} without a change; --full lists all"));
    }
    end(page, trends)
}

pub(super) fn full(trends: &Trends, options: TextOptions) -> String {
    let mut page = answer(trends, options);
    let is_alone = trends.trends.len() == 1;
    for trend in &trends.trends {
        show(&mut page, trend, is_alone);
    }
    end(page, trends)
}

fn answer(trends: &Trends, options: TextOptions) -> Page {
    let mut page = Page::new(options);
    page.paragraph(&trends.headline());
    page
}

/// One metric: its place, its levels, and what changed with each change.
fn show(page: &mut Page, trend: &Trend, is_alone: bool) {
    if is_alone {
        page.blank();
    } else {
        page.heading(&trend.sentence());
    }
    page.footnote(&place(trend));
    if let Some(table) = tables::levels(trend) {
        page.blank();
        page.table(&table);
    }
    for (change, factors) in trend.changes() {
        page.blank();
        let run = &trend.series.points[change.at].run_id;
        page.paragraph(&format!("with run {run}:"));
        if factors.is_empty() {
            page.entry("", "no known part of the setup changed");
        }
        for factor in factors {
            let values = factor.values().join(" → ");
            page.entry(&factor.subject(), &values);
        }
    }
    for (at, before) in trend.disk_changes() {
        page.blank();
        let point = &trend.series.points[at];
        let (run, disk) = (&point.run_id, &point.disk);
        page.paragraph(&format!(
            "the disk changed with run {run}: {before} → {disk}"
        ));
    }
}

/// Where it was measured, and what was left out.
pub(super) fn place(trend: &Trend) -> String {
    let mut text = trend.place();
    if trend.left_out > 0 {
        let runs = plural(trend.left_out as u64, "run");
        text += &format!("; {runs} left out: SUSPECT, INVALID or without a value");
    }
    text
}

fn end(mut page: Page, trends: &Trends) -> String {
    if trends.others > 0 {
        page.blank();
        let others = plural(trends.others as u64, "other metric");
        page.footnote(&format!(
            "{others} in the history: `fathom trend WORKLOAD`, a target or a tag selects them"
        ));
    }
    page.finish()
}
