//! The tables of `docs/explain.md`.
#![allow(
    clippy::disallowed_methods,
    clippy::format_push_string,
    reason = "tests read and write pages"
)]

use fathom_explain::facts::FACTS;
use fathom_explain::formats;
use fathom_explain::rules::RULES;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/explain.md");

fn tables() -> [(&'static str, String); 3] {
    let mut list = String::new();
    for about in formats() {
        list += &format!(
            "- {about}
"
        );
    }
    let mut rules = String::from("| code | finds | needs |\n| --- | --- | --- |\n");
    for rule in RULES {
        rules += &format!("| `{}` | {} | {} |\n", rule.code, rule.about, rule.needs);
    }
    let mut facts = String::from("| tool | fact | remedy |\n| --- | --- | --- |\n");
    for fact in FACTS {
        facts += &format!("| {} | {} | {} |\n", fact.tool, fact.sentence, fact.remedy);
    }
    [("formats", list), ("rules", rules), ("facts", facts)]
}

/// With `FATHOM_WRITE_DOCS=1` it writes the tables.
#[test]
fn the_page_has_every_format_rule_and_fact() {
    let page = std::fs::read_to_string(PAGE).expect(PAGE);
    let mut renewed = page.clone();
    for (name, table) in tables() {
        let (begin, end) = (
            format!("<!-- {name}:begin -->\n"),
            format!("<!-- {name}:end -->"),
        );
        let (before, rest) = renewed.split_once(&begin).expect("the begin of a table");
        let (_, after) = rest.split_once(&end).expect("the end of a table");
        renewed = format!("{before}{begin}\n{table}\n{end}{after}");
    }
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, &renewed).expect(PAGE);
        return;
    }
    assert!(
        page == renewed,
        "write {PAGE} anew with FATHOM_WRITE_DOCS=1"
    );
}
