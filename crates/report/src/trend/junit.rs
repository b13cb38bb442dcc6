//! Trends for CI: each metric is a case.

use crate::junit::{Case, End, JUnit};
use fathom_verdict::trend::{Trend, Trends};

/// Too few runs are no failure: a history has to begin.
pub(super) fn render(trends: &Trends) -> String {
    let mut cases: Vec<Case> = trends.trends.iter().map(case).collect();
    if cases.is_empty() {
        // A document without cases would be a pass.
        cases.push(Case {
            class: "trend".to_owned(),
            name: "history".to_owned(),
            seconds: 0.0,
            end: End::Error(trends.headline()),
            told: String::new(),
        });
    }
    let points = trends
        .trends
        .iter()
        .filter_map(|trend| trend.series.points.last());
    let latest = points.map(|point| point.started_at.as_str()).max();
    JUnit {
        name: "trend".to_owned(),
        timestamp: latest.unwrap_or_default().to_owned(),
        seconds: 0.0,
        cases,
    }
    .xml()
}

fn case(trend: &Trend) -> Case {
    let sentence = trend.sentence();
    let end = if trend.got_worse() == Some(true) {
        End::Failed(sentence.clone())
    } else {
        End::Passed
    };
    Case {
        class: trend.place(),
        name: trend.subject(),
        seconds: 0.0,
        end,
        told: sentence,
    }
}
