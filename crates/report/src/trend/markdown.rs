//! Trends for tickets and CI summaries.

use super::tables;
use crate::markdown::escape;
use fathom_verdict::trend::Trends;

pub(super) fn render(trends: &Trends) -> String {
    let mut text = format!("**{}**\n", escape(&trends.headline()));
    for trend in &trends.trends {
        if trends.trends.len() > 1 {
            text += &format!("\n{}\n", escape(&trend.sentence()));
        }
        if trend.got_worse().is_none() {
            continue;
        }
        let Some(table) = tables::levels(trend) else {
            continue;
        };
        let heads: Vec<&str> = table.headers().map(|(head, _)| head).collect();
        text += &format!(
            "\n| {} |\n|{}\n",
            heads.join(" | "),
            " --- |".repeat(heads.len())
        );
        for row in table.rows() {
            let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
            text += &format!("| {} |\n", cells.join(" | "));
        }
        for (change, factors) in trend.changes() {
            text += &format!("\n* {}\n", escape(&trend.change_words(change, factors)));
        }
    }
    text
}
