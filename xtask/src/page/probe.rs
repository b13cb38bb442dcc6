//! Pages in frames of several sizes, looked at from within: what lies beyond the first screen or
//! the edge, what is not drawn, what axe-core finds hard to read, and what the buttons of charts
//! save.

use super::{Page, browse};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const PROBE: &str = include_str!("probe.js");
const PRESS: &str = include_str!("press.js");
const FRAME: &str = include_str!("frame.js");
/// See `vendor/VENDORED.md`.
const AXE: &str = include_str!("../../vendor/axe.min.js");

/// Name, width, height, theme, and the height that the first thing may end at: of a desktop its
/// screen, of a phone two of them.
const VIEWS: [(&str, u32, u32, &str, u32); 3] = [
    ("1440×900", 1440, 900, "light", 900),
    ("dark", 1440, 900, "dark", 900),
    ("390×844", 390, 844, "light", 1688),
];

/// What is wrong with the pages.
pub(super) fn run(browser: &str, folder: &Path, pages: &[Page]) -> Result<Vec<String>> {
    let mut views = Vec::new();
    for (index, page) in pages.iter().enumerate() {
        let text = fs::read_to_string(folder.join(page.file)).context(page.file)?;
        let file = format!("probed-{index}.html");
        fs::write(folder.join(&file), probed(&text)).context("cannot write a copy")?;
        for (name, width, height, theme, within) in VIEWS {
            views.push(json!({
                "name": format!("{} at {name}", page.file),
                "file": file,
                "width": width,
                "height": height,
                "theme": theme,
                "first": page.first,
                "within": within,
            }));
        }
        if let Some(copy) = pressed(&text) {
            let file = format!("pressed-{index}.html");
            fs::write(folder.join(&file), copy).context("cannot write a copy")?;
            views.push(json!({
                "name": format!("{}, buttons pressed", page.file),
                "file": file,
                "width": 1440,
                "height": 900,
            }));
        }
    }
    let count = views.len();
    let frame = folder.join("frame.html");
    let text = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><pre id=\"found\"></pre><script>const views = {};\n\
         {FRAME}</script>",
        Value::Array(views)
    );
    fs::write(&frame, text).context("cannot write the frame")?;
    let arguments = [
        "--window-size=1600,1000",
        "--virtual-time-budget=600000",
        "--dump-dom",
    ];
    let output = browse(browser, &arguments.map(str::to_owned), &frame)?;
    let page = String::from_utf8_lossy(&output.stdout);
    let told = told(&page).context("the pages sent nothing")?;
    let told = told.as_array().context("a list of what was found")?;
    let mut findings = Vec::new();
    for one in told {
        let name = one["name"].as_str().unwrap_or("a page");
        let found = one["found"].as_array().into_iter().flatten();
        let found: Vec<&str> = found.filter_map(Value::as_str).collect();
        let said = match found.as_slice() {
            [] => "nothing found".to_owned(),
            found => found.join("; "),
        };
        println!("{name}: {said}");
        findings.extend(found.iter().map(|what| format!("{name}: {what}")));
    }
    if told.len() != count {
        findings.push(format!(
            "only {} of {count} views were looked at",
            told.len()
        ));
    }
    Ok(findings)
}

/// A copy of a page that looks at itself. Its content policy, which the unchanged page is opened
/// with, would forbid that.
fn probed(page: &str) -> String {
    let policy = "<meta http-equiv=\"Content-Security-Policy\"";
    let without = match page.split_once(policy) {
        Some((before, rest)) => {
            let rest = rest.split_once('>').map_or("", |(_, rest)| rest);
            format!("{before}{rest}")
        }
        None => page.to_owned(),
    };
    let end = format!("<script>{AXE}</script><script>{PROBE}</script></body>");
    without.replacen("</body>", &end, 1)
}

/// A copy of a page that presses its own buttons, with the content policy that it has and a leave
/// for that one script; none of a page without scripts.
fn pressed(page: &str) -> Option<String> {
    let (before, after) = page.split_once("script-src ")?;
    let page = format!("{before}script-src 'nonce-press' {after}");
    let end = format!("<script nonce=\"press\">{PRESS}</script></body>");
    Some(page.replacen("</body>", &end, 1))
}

/// What the frame has kept.
fn told(page: &str) -> Option<Value> {
    let (_, rest) = page.split_once("<pre id=\"found\">")?;
    let (text, _) = rest.split_once("</pre>")?;
    let text = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&");
    serde_json::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_no_policy_and_looks_at_itself() {
        let page =
            "<head><meta http-equiv=\"Content-Security-Policy\" content=\"x\"></head><body></body>";
        let copy = probed(page);
        let (before, after) = copy.split_once("<script>").expect("a script");
        assert_eq!(before, "<head></head><body>");
        assert_eq!(after.matches("</script>").count(), 2);
    }

    #[test]
    fn a_copy_that_presses_keeps_its_policy() {
        let page =
            "<head><meta content=\"script-src 'sha256-x'; img-src data:\"></head><body></body>";
        let copy = pressed(page).expect("it has scripts");
        let own = format!("<script nonce=\"press\">{PRESS}</script>");
        let policy = "script-src 'nonce-press' 'sha256-x'; img-src data:";
        let expected = format!("<head><meta content=\"{policy}\"></head><body>{own}</body>");
        assert_eq!(copy, expected);
        assert_eq!(pressed("<body></body>"), None);
    }

    #[test]
    fn what_was_told_is_read_back() {
        let page = "<pre id=\"found\">[{\"name\":\"a &lt; b\"}]</pre>";
        assert_eq!(told(page), Some(json!([{ "name": "a < b" }])));
    }
}
