//! Opens pages of reports in headless Chromium: they have to draw, to say nothing on the console,
//! to ask the network for nothing, to begin with what matters, to fit a phone, to be readable, to
//! save their charts as pictures, and to print on a few sheets.

mod probe;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::built;

/// Names of the browser.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// What keeps the browser to this page; the rest that it asks for itself is distinguished by who
/// asks.
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
read = [100, 70]
block_size = [\"4KiB\", \"16KiB\", \"64KiB\"]
queue_depth = [1, 8]
time = \"100ms\"
warm_up = \"0s\"
";

/// Bytes of a page, at most.
const MOST_BYTES: u64 = 900_000;

/// A page with what it has to keep.
pub(crate) struct Page {
    /// Its place in the folder.
    file: &'static str,
    /// What the first screen has to hold.
    first: &'static str,
    /// Sheets that it may take on paper; none where nobody prints it.
    sheets: Option<usize>,
}

const PAGES: [Page; 9] = [
    Page {
        file: "run.html",
        first: ".first figure.chart",
        sheets: None,
    },
    Page {
        file: "quick.html",
        first: ".first figure.chart",
        sheets: Some(4),
    },
    Page {
        file: "ramp.html",
        first: ".first figure.chart",
        sheets: None,
    },
    Page {
        file: "credit.html",
        first: ".first figure.chart .fall-name",
        sheets: None,
    },
    Page {
        file: "both.html",
        first: "table.beside",
        sheets: None,
    },
    Page {
        file: "three.html",
        first: "table.beside",
        sheets: None,
    },
    Page {
        file: "matrix.html",
        first: "table.figures",
        sheets: None,
    },
    Page {
        file: "suite/report.html",
        first: "table.heat",
        sheets: None,
    },
    Page {
        file: "plan.html",
        first: "table.figures tbody tr",
        sheets: None,
    },
];

/// Makes the pages and opens them; true when nothing was found.
pub(crate) fn run(words: &[&str]) -> Result<bool> {
    let there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
    let Some(browser) = BROWSERS.into_iter().find(|name| there(name)) else {
        println!(
            "skipped: no Chromium is installed ({})",
            BROWSERS.join(", ")
        );
        return Ok(true);
    };
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let program = built::named(words)?.map_or_else(built::release, Ok)?;
    make(&program, folder.path())?;
    let mut findings = probe::run(browser, folder.path(), &PAGES)?;
    for page in &PAGES {
        let path = folder.path().join(page.file);
        let bytes = fs::metadata(&path).context(page.file)?.len();
        let mut found = look(browser, folder.path(), page.file)?;
        if bytes > MOST_BYTES {
            found.push(format!("{}: {bytes} bytes", page.file));
        }
        let mut words = format!("{} kB", bytes / 1000);
        if let Some(most) = page.sheets {
            let sheets = sheets(browser, folder.path(), page.file)?;
            words = format!("{words}, {sheets} sheets");
            if sheets > most {
                found.push(format!("{}: {sheets} sheets, more than {most}", page.file));
            }
        }
        println!("{}: {words}", page.file);
        findings.extend(found);
    }
    for finding in &findings {
        println!("  {finding}");
    }
    println!("{} findings", findings.len());
    Ok(findings.is_empty())
}

/// The pages, of the simulator.
fn make(program: &Path, folder: &Path) -> Result<()> {
    fs::write(folder.join("page.toml"), SUITE).context("cannot write the suite")?;
    let lines = [
        "run random-mixed-8k --engine sim --rate 2000IOPS --require p99<=20ms --time 3s \
         --warm-up 1s --interval 100ms --quiet --no-save --output json:run.json \
         --output html:run.html",
        "run random-mixed-8k --engine sim --rate 2000IOPS --time 3s --warm-up 1s --seed 7 \
         --interval 100ms --quiet --no-save --output json:other.json",
        "run quick --engine sim --time 300ms --warm-up 0s --block-size 4KiB --quiet \
         --no-save --output html:quick.html",
        "ramp random-read-4k --over queue-depth --from 1 --to 32 --step 200ms --engine sim \
         --quiet --no-save \
         --output html:ramp.html",
        "simulate random-read-4k --volume gp2:250GiB --for 4h --quiet --no-save \
         --output html:credit.html",
        "report run.json other.json -o both.html",
        "run quick --engine sim --time 300ms --warm-up 0s --quiet --no-save --output json:q1.json",
        "run quick --engine sim --time 300ms --warm-up 0s --sim-service-time 200us --quiet \
         --no-save --output json:q2.json",
        "report q1.json q2.json q1.json -o three.html",
        "suite ./page.toml --engine sim --quiet --into suite --store history.db",
        "suite ./page.toml --engine sim --sim-service-time 200us --quiet --into other \
         --store history.db",
        "report --matrix suite other -o matrix.html",
        "plan --iops 6000 --capacity 500GiB --cloud aws --output html:plan.html",
    ];
    for line in lines {
        fathom(program, folder, line)?;
    }
    Ok(())
}

/// Runs a command line. A result may be questionable, as those of the simulator are.
fn fathom(program: &Path, folder: &Path, line: &str) -> Result<()> {
    let output = Command::new(program)
        .args(line.split_whitespace())
        .current_dir(folder)
        .output()
        .with_context(|| format!("cannot run {}", program.display()))?;
    let told = String::from_utf8_lossy(&output.stderr);
    let is_done = matches!(output.status.code(), Some(0 | 1));
    ensure!(is_done, "fathom {line} failed: {told}");
    Ok(())
}

/// The browser over a file, alone in a profile of its own.
fn browse(browser: &str, arguments: &[String], file: &Path) -> Result<Output> {
    let profile = tempfile::tempdir().context("cannot make a folder")?;
    Command::new(browser)
        .args(QUIET)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(arguments)
        .arg(format!("file://{}", file.display()))
        .output()
        .with_context(|| format!("cannot run {browser}"))
}

/// What a page says on the console and asks of the network.
fn look(browser: &str, folder: &Path, page: &str) -> Result<Vec<String>> {
    let log = folder.join("net.json");
    let arguments = [
        format!("--log-net-log={}", log.display()),
        "--window-size=1440,900".to_owned(),
        "--virtual-time-budget=2000".to_owned(),
        "--dump-dom".to_owned(),
    ];
    let output = browse(browser, &arguments, &folder.join(page))?;
    let net = fs::read_to_string(&log).context("the browser left no log of its requests")?;
    let net: Value = serde_json::from_str(&net).context("the log of requests")?;
    let place = |what: String| format!("{page}: {what}");
    let found = console(&output).into_iter().chain(requests(&net));
    Ok(found.map(place).collect())
}

/// Sheets that a page takes on paper.
fn sheets(browser: &str, folder: &Path, page: &str) -> Result<usize> {
    let pdf = folder.join("page.pdf");
    let arguments = [
        format!("--print-to-pdf={}", pdf.display()),
        "--no-pdf-header-footer".to_owned(),
    ];
    browse(browser, &arguments, &folder.join(page))?;
    let bytes = fs::read(&pdf).context("the browser printed nothing")?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(sheets_of(&text))
}

/// Objects of a PDF that are a page.
fn sheets_of(pdf: &str) -> usize {
    let types = pdf.match_indices("/Type /Page");
    types
        .filter(|(at, found)| !pdf[at + found.len()..].starts_with('s'))
        .count()
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
    fn sheets_are_counted_and_not_their_list() {
        let pdf = "<</Type /Pages\n/Count 2>> <</Type /Page\n>> <</Type /Page /Parent 1 0 R>>";
        assert_eq!(sheets_of(pdf), 2);
    }
}
