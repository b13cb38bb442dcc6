//! Sides of several runs on one page: the verdict and the cautions of the text, and names that
//! differ.

use fathom_core::Op;
use fathom_core::fixture::{self, JobPlan, Stream, series};
use fathom_core::result::RunResult;
use fathom_report::{COMPARISON_FORMATS, NamedRun, NamedSide, TextOptions, html_report_of_sides};
use fathom_verdict::compare::{CompareOptions, compare};

fn run(ios: u64, minute: usize) -> RunResult {
    let stream = Stream::random(Op::Read, 4096, series(ios, 10));
    let job = JobPlan::closed("read", 8, vec![stream]);
    let mut run = fixture::run("random-read", &[("measure", vec![job])]);
    run.run_id = format!("20260301T12{minute:02}00Z-7f3a9c44e0b2");
    run.provenance.started_at = format!("2026-03-01T12:{minute:02}:00.000Z");
    run
}

/// Two sides of two runs each, that differ by a tenth.
fn sides() -> Vec<(String, Vec<RunResult>)> {
    let side = |name: &str, ios: u64, minutes: [usize; 2]| {
        let runs = minutes.map(|minute| run(ios + minute as u64, minute));
        (name.to_owned(), runs.to_vec())
    };
    vec![side("simA", 2_000, [0, 3]), side("simB", 1_800, [1, 2])]
}

fn page(sides: &[(String, Vec<RunResult>)], labels: &[&str]) -> String {
    let mut labels = labels.iter();
    let sides: Vec<NamedSide<'_>> = sides
        .iter()
        .map(|(name, runs)| NamedSide {
            name,
            runs: runs
                .iter()
                .zip(&mut labels)
                .map(|(result, label)| NamedRun { label, result })
                .collect(),
        })
        .collect();
    html_report_of_sides(&sides)
}

/// The words of a page without its elements.
fn words(part: &str) -> String {
    let mut words = String::new();
    let mut is_element = false;
    for sign in part.chars() {
        match sign {
            '<' => is_element = true,
            '>' => is_element = false,
            other if !is_element => words.push(other),
            _ => {}
        }
    }
    words.replace("&#39;", "'")
}

#[test]
fn a_page_has_the_verdict_of_the_text() {
    let sides = sides();
    let comparison = compare(&sides, &CompareOptions::default());
    let brief = COMPARISON_FORMATS.iter().find(|one| one.name == "brief");
    let options = TextOptions {
        width: 80,
        ..TextOptions::default()
    };
    let text = brief.expect("it is a format").render(&comparison, options);
    let page = page(&sides, &["simA 1", "simA 2", "simB 1", "simB 2"]);
    let (_, rest) = page
        .split_once("<h1 id=\"runs-title\">")
        .expect("a heading");
    let (heading, rest) = rest.split_once("</h1>").expect("its end");
    let (opening, _) = rest.split_once("<div class=\"charts\">").expect("a chart");
    let said = format!("{text}\n---\n{}\n{}", words(heading), words(opening));
    insta::assert_snapshot!(said);
}

/// The names at the lines of the first chart, and those in its legend.
fn names(page: &str) -> (Vec<String>, Vec<String>) {
    let (_, chart) = page.split_once("id=\"compared-c1\"").expect("a chart");
    let (chart, _) = chart.split_once("</figure>").expect("its end");
    let (above, strips) = chart.split_once("<div class=\"panels\"").expect("strips");
    let (first, _) = strips
        .split_once("</svg></svg></g></svg>")
        .unwrap_or((strips, ""));
    let ends = first.split("<text class=\"ink\"").skip(1);
    let ends = ends.filter_map(|part| part.split_once('>')?.1.split('<').next());
    let keys = above.split("<li>").skip(1);
    let keys = keys.filter_map(|part| part.split_once("</svg>")?.1.split('<').next());
    (
        ends.map(str::to_owned).collect(),
        keys.map(str::to_owned).collect(),
    )
}

#[test]
fn runs_of_a_tag_are_one_line_with_their_range() {
    let sides = sides();
    let page = page(&sides, &["simA 1", "simA 2", "simB 1", "simB 2"]);
    let (mut ends, keys) = names(&page);
    ends.truncate(2);
    let expected = ["simA", "simB"].map(str::to_owned);
    // What is not measured after the load has no room for its name either.
    assert_eq!(
        (ends, keys),
        (expected.to_vec(), vec!["cool-down".to_owned()])
    );
    let (_, chart) = page.split_once("id=\"compared-c1\"").expect("a chart");
    let (chart, _) = chart.split_once("</figure>").expect("its end");
    let (_, row) = chart.split_once("<tbody>").expect("a table");
    let row = row.split("<tr>").nth(1).expect("a row");
    let cells: Vec<String> = row.split("<td>").skip(1).map(words).collect();
    let cells: Vec<&str> = cells.iter().map(|cell| cell.trim_end()).collect();
    let rates = ["2,002 (2,000 … 2,003)", "1,802 (1,801 … 1,802)"];
    assert_eq!(cells[..2], rates);
    let titles = page.split("-title\">").skip(1);
    let titles = titles.filter_map(|part| part.split('<').next());
    let compared: Vec<&str> = titles.filter(|title| title.ends_with("by side")).collect();
    let expected = [
        "Throughput over time, by side",
        "Percentiles of read service time, by side",
    ];
    assert_eq!(compared, expected);
}

#[test]
fn names_of_lines_are_never_cut_to_the_same_text() {
    let run = |minute| vec![run(2_000 + minute as u64, minute)];
    let long = [
        "a name that no phone has room for 1",
        "a name that no phone has room for 2",
        "b",
        "c",
    ];
    let sides = (0..4).map(|index| (long[index].to_owned(), run(index)));
    let (mut ends, keys) = names(&page(&sides.collect::<Vec<_>>(), &long));
    ends.truncate(4);
    ends.sort();
    assert_eq!(ends, ["run 1", "run 2", "run 3", "run 4"]);
    let expected = [
        "run 1: a name that no phone has room for 1",
        "run 2: a name that no phone has room for 2",
        "run 3: b",
        "run 4: c",
        "cool-down",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn a_page_of_runs_that_are_not_comparable_shades_no_warm_up_and_has_no_other_state() {
    let mut sides = vec![
        ("a".to_owned(), vec![run(2_000, 0)]),
        ("b".to_owned(), vec![run(2_000, 1)]),
    ];
    let found = |sides: &[(String, Vec<RunResult>)]| {
        let page = page(sides, &["a", "b"]);
        let (_, head) = page.split_once("<h1 id=\"runs-title\">").expect("a title");
        let (head, _) = head.split_once("</div>").expect("its end");
        let (title, badge) = head.split_once("</h1>").expect("its end");
        let title = title.split(". ").next().unwrap_or_default().to_owned();
        let (_, chart) = page.split_once("id=\"compared-c1\"").expect("a chart");
        let (chart, _) = chart.split_once("</figure>").expect("its end");
        let is_shaded = chart.contains(">warm-up<");
        (title, words(badge), is_shaded)
    };
    for (_, runs) in &mut sides {
        runs[0].phases[0].warm_up_ns = 5_000_000_000;
    }
    let (_, state, is_shaded) = found(&sides);
    assert_eq!((state.as_str(), is_shaded), ("SUSPECT", true));
    sides[1].1[0].phases[0].warm_up_ns = 0;
    sides[1].1[0].provenance.engine.name = "psync".to_owned();
    let (title, state, is_shaded) = found(&sides);
    let expected = "NOT COMPARABLE: engine, warm-up differ";
    assert_eq!(
        (title.as_str(), state.as_str(), is_shaded),
        (expected, "", false)
    );
}
