//! Results with hostile text in every name: no format lets a terminal, a spreadsheet, a page or a
//! parser obey it.

use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::foreign::is_control;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level, Op};
use fathom_report::{Format, TextOptions, formats, write};
use fathom_verdict::Code;
use quick_xml::events::Event;

const NAME: &str = "=1|\u{1b}[2J\0\u{9b}\u{202e}\n`<script>](javascript:x)\"&";

fn hostile() -> RunResult {
    let name = || NAME.to_owned();
    let stream = Stream::random(Op::Read, 4096, series(1000, 3));
    let job = JobPlan::closed(NAME, 8, vec![stream]);
    let mut result = fixture::run(NAME, &[(NAME, vec![job])]);
    let origin = &mut result.provenance;
    origin.command_line = vec![name(), name()];
    origin.host.hostname = name();
    origin.host.kernel = name();
    origin.host.cpu_model = name();
    origin.targets[0].path = name();
    origin.io_limits = vec![name()];
    origin.workload.name = name();
    let caveat: Caveat = Code::CacheReads.caveat(Level::Qualified, name());
    result.caveats = vec![caveat.about(NAME).remedy(NAME)];
    result
}

/// What is wrong with the text of a format.
fn wrong(format: Format, text: &str) -> Option<&'static str> {
    let is_csv = format.media_type.starts_with("text/csv");
    let is_own_text = ["brief", "text", "slowest", "markdown"].contains(&format.name);
    if is_own_text && text.contains(|sign| sign != '\n' && is_control(sign)) {
        return Some("a terminal obeys it");
    }
    if format.name == "markdown"
        && (text.contains("<script") || text.replace("\\]", "").contains("]("))
    {
        return Some("a page obeys it");
    }
    if format.name == "html"
        && (text.matches("<script").count() != 1
            || text.contains(|sign| sign != '\n' && is_control(sign)))
    {
        return Some("a page obeys it");
    }
    if is_csv && !format.name.starts_with("iometer") {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let formula = reader.records().flatten().any(|row| {
            row.iter().any(|cell| {
                cell.starts_with(['=', '@', '+', '-', '\t', '\r']) && cell.parse::<f64>().is_err()
            })
        });
        if formula {
            return Some("a spreadsheet obeys it");
        }
    }
    if format.extension == "xml" {
        let is_missing = |sign: char| sign < ' ' && !"\t\n\r".contains(sign);
        let mut reader = quick_xml::Reader::from_str(text);
        loop {
            match reader.read_event() {
                Ok(Event::Eof) => break,
                Ok(_) => {}
                Err(_) => return Some("it is no XML"),
            }
        }
        if text.contains(is_missing) {
            return Some("it is no XML");
        }
    }
    if format.name == "json" && serde_json::from_str::<RunResult>(text).is_err() {
        return Some("it is no JSON");
    }
    None
}

#[test]
fn no_format_obeys_a_name() {
    let result = hostile();
    let wrong: Vec<(&str, &str)> = formats()
        .filter_map(|format| {
            let mut bytes = Vec::new();
            let written = write(&result, format, TextOptions::default(), &mut bytes);
            written.expect("memory takes everything");
            let text = String::from_utf8(bytes).expect("text is UTF-8");
            Some((format.name, wrong(format, &text)?))
        })
        .collect();
    assert_eq!(wrong, []);
}
