//! Opens pages of reports in headless Chromium: they have to draw, to say nothing on the console,
//! and to ask the network for nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Names of the browser.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// Widths of a window, in pixels: a desktop and a phone.
const WIDTHS: [u32; 2] = [1280, 400];

/// What keeps the browser to this page; the rest that it asks for itself is told apart by who asks.
const QUIET: [&str; 8] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-logging=stderr",
];

/// The suite whose page is opened.
const SUITE: &str = "\
name = \"page\"
description = \"a page\"

[[run]]
workload = \"random-mixed-8k\"
read = [100, 0]
queue_depth = [1, 32]
time = \"2s\"
warm_up = \"0s\"
";

/// Makes the pages and opens them; true when nothing was found.
pub(crate) fn run() -> Result<bool> {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let Some(browser) = BROWSERS.into_iter().find(|name| there(name)) else {
        println!(
            "skipped: no Chromium is installed ({})",
            BROWSERS.join(", ")
        );
        return Ok(true);
    };
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let mut findings = Vec::new();
    for page in pages(folder.path())? {
        for width in WIDTHS {
            let found = look(browser, folder.path(), &page, width)?;
            println!("{page} at {width} px: {}", verdict(&found));
            findings.extend(found);
        }
    }
    for finding in &findings {
        println!("  {finding}");
    }
    Ok(findings.is_empty())
}

fn verdict(found: &[String]) -> String {
    match found.len() {
        0 => "nothing found".to_owned(),
        1 => "1 finding".to_owned(),
        count => format!("{count} findings"),
    }
}

/// The pages of a run, a comparison and a suite, of the simulator; their names in the folder.
fn pages(folder: &Path) -> Result<[String; 3]> {
    fs::write(folder.join("page.toml"), SUITE).context("cannot write the suite")?;
    let line = "run random-mixed-8k --engine sim --time 3s --warm-up 1s --interval 100ms --quiet \
                --no-save --output json:run.json --output html:run.html";
    fathom(folder, line)?;
    fathom(folder, "report run.json run.json -o both.html")?;
    fathom(
        folder,
        "suite ./page.toml --engine sim --quiet --into suite --store history.db",
    )?;
    Ok(["run.html", "both.html", "suite/report.html"].map(str::to_owned))
}

fn fathom(folder: &Path, line: &str) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args([
            "run",
            "--locked",
            "--quiet",
            "--package",
            "fathom-cli",
            "--manifest-path",
        ])
        .arg(root.join("Cargo.toml"))
        .arg("--")
        .args(line.split(' '))
        .current_dir(folder)
        .output()
        .context("cannot run cargo")?;
    let told = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "fathom {line} failed: {told}");
    Ok(())
}

/// What is wrong with a page at a width.
fn look(browser: &str, folder: &Path, page: &str, width: u32) -> Result<Vec<String>> {
    let log = folder.join("net.json");
    let profile = tempfile::tempdir().context("cannot make a folder")?;
    let output = Command::new(browser)
        .args(QUIET)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("--window-size={width},900"))
        .args(["--virtual-time-budget=8000", "--dump-dom"])
        .arg(format!("file://{}", folder.join(page).display()))
        .output()
        .with_context(|| format!("cannot run {browser}"))?;
    let net = fs::read_to_string(&log).context("the browser left no log of its requests")?;
    let net: Value = serde_json::from_str(&net).context("the log of requests")?;
    let place = |what: String| format!("{page} at {width} px: {what}");
    let found = console(&output)
        .into_iter()
        .chain(requests(&net))
        .chain(undrawn(&output));
    Ok(found.map(place).collect())
}

/// Everything on the console: errors of scripts, and what the content policy refused.
fn console(output: &Output) -> Vec<String> {
    let told = String::from_utf8_lossy(&output.stderr);
    let lines = told.lines().filter_map(|line| line.split_once(":CONSOLE:"));
    let lines = lines.map(|(_, rest)| rest.split_once("] ").map_or(rest, |(_, words)| words));
    lines.map(|words| format!("console: {words}")).collect()
}

/// Requests over the network by the page. What the browser asks for itself has no origin.
fn requests(net: &Value) -> Vec<String> {
    let events = net["events"].as_array().into_iter().flatten();
    let asked = events.filter_map(|event| {
        let (url, by) = (&event["params"]["url"], &event["params"]["initiator"]);
        let (url, by) = (url.as_str()?, by.as_str()?);
        let is_local = ["file:", "data:", "blob:"]
            .iter()
            .any(|scheme| url.starts_with(scheme));
        (by != "not an origin" && !is_local).then(|| format!("request: {url}"))
    });
    asked.collect()
}

/// A page whose scripts did not run has no drawing.
fn undrawn(output: &Output) -> Option<String> {
    let page = String::from_utf8_lossy(&output.stdout);
    (!page.contains("<canvas")).then(|| "nothing is drawn".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::os::unix::process::ExitStatusExt as _;

    fn output(stdout: &str, stderr: &str) -> Output {
        Output {
            status: std::process::ExitStatus::from_raw(0),
            stdout: stdout.into(),
            stderr: stderr.into(),
        }
    }

    #[test]
    fn a_word_on_the_console_is_found() {
        let told = "[1:1:0101/1.2:ERROR:dbus/bus.cc:405] no bus\n\
                    [1:1:0101/1.2:INFO:CONSOLE:1] \"Uncaught Error: x\", source: file:///a (1)\n";
        let expected = ["console: \"Uncaught Error: x\", source: file:///a (1)"];
        assert_eq!(console(&output("", told)), expected);
    }

    #[test]
    fn a_request_of_the_page_is_found_and_none_of_the_browser() {
        let event = |url: &str, by: &str| json!({ "params": { "url": url, "initiator": by } });
        let net = json!({ "events": [
            event("https://update.example/", "not an origin"),
            event("file:///a.html", "null"),
            { "params": { "url": "https://update.example/" } },
            event("https://fonts.example/a.woff", "null"),
        ] });
        assert_eq!(requests(&net), ["request: https://fonts.example/a.woff"]);
    }

    #[test]
    fn a_page_without_a_drawing_is_found() {
        assert_eq!(undrawn(&output("<canvas>", "")), None);
        let found = undrawn(&output("<noscript>", ""));
        assert_eq!(found.as_deref(), Some("nothing is drawn"));
    }
}
