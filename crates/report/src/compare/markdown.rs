//! For tickets: the verdicts and one table.

use super::{brief, changes, joined, number, place, probability, ratio_note, tables};
use crate::markdown::escape;
use fathom_verdict::compare::{Comparison, Contrast, FactorRole};

pub(super) fn render(comparison: &Comparison) -> String {
    let mut text = format!("**{}**\n\n", escape(&brief::first_line(comparison).1));
    for side in &comparison.sides {
        let words = escape(&tables::side(side));
        text += &format!("* **{}**: {words}\n", escape(&side.label));
    }
    if let Some(gate) = &comparison.gate {
        text += &format!("\n**{}**\n", escape(&gate.words()));
    }
    if comparison.contrasts.len() > 1 {
        text.push('\n');
        crate::markdown::table(&joined::table(comparison), &mut text);
    }
    let is_alone = comparison.contrasts.len() == 1;
    for contrast in &comparison.contrasts {
        text += &format!("\n### {} against A\n\n", escape(&contrast.label));
        match &contrast.refusal {
            Some(refusal) => {
                text += &format!("**NOT COMPARABLE** {}\n", escape(refusal));
                if is_alone {
                    table(&mut text, contrast);
                }
            }
            None => compared(&mut text, contrast, is_alone),
        }
    }
    text
}

fn compared(text: &mut String, contrast: &Contrast, is_alone: bool) {
    let label = escape(&contrast.label);
    for row in contrast.rows.iter().filter(|row| row.declared) {
        let (place, number) = (escape(&place(row)), number(row));
        text.push_str(&format!(
            "* **{}** {place} {number}: {}\n",
            row.verdict.words(),
            escape(&row.sentence)
        ));
    }
    if is_alone {
        table(text, contrast);
    }
    text.push('\n');
    text.push_str(&format!("State: {}\n", contrast.state.word()));
    for remark in &contrast.remarks {
        text.push_str(&format!("* {}\n", escape(remark)));
    }
    for factor in &contrast.factors {
        let role = match factor.role {
            FactorRole::Expected => "under test",
            FactorRole::Blocks => "forced",
            FactorRole::Noted => "differs",
        };
        let (base, other) = (escape(&factor.base), escape(&factor.other));
        text.push_str(&format!(
            "* {role}: {}: {base} in A, {other} in {label}\n",
            escape(factor.name)
        ));
    }
}

fn table(text: &mut String, contrast: &Contrast) {
    let label = escape(&contrast.label);
    text.push_str(&format!(
        "\n| part | metric | A | {label} | {label}/A | interval | p | verdict |\n| --- | --- | \
         ---: | ---: | ---: | --- | ---: | --- |\n"
    ));
    for row in &contrast.rows {
        let (change, interval) = changes(row);
        let verdict = if row.declared {
            row.verdict.words().to_owned()
        } else {
            format!("{} (exploratory)", row.verdict.words().to_lowercase())
        };
        text.push_str(&format!(
            "| {} | {} | {} | {} | {change} | {interval} | {} | {verdict} |\n",
            escape(&place(row)),
            number(row),
            row.metric.figure(row.base),
            row.metric.figure(row.other),
            row.p_adjusted.map_or_else(String::new, probability),
        ));
    }
    if let Some(note) = ratio_note(contrast) {
        text.push_str(&format!("\n<sub>{}</sub>\n", escape(&note)));
    }
}
