//! What every page has in common: one first heading with the answer, no level of headings left out,
//! the parts that a screen reader jumps between, and no file that the reader does not have.

use crate::{four_seconds, page, two_phases};
use fathom_core::result::RunResult;
use fathom_report::{
    NamedRun, PlanPage, PlanPicture, SuiteCell, SuiteReport, html_report, matrix_page, picture,
    suite_page,
};
use fathom_verdict::compare::{Metric, matrix};

/// The levels of the headings, from the first to the last.
fn levels(page: &str) -> Vec<u32> {
    let tags = page.split('<').skip(1);
    let levels = tags.filter_map(|tag| {
        let level = tag.strip_prefix('h')?.chars().next()?.to_digit(10)?;
        Some(level)
    });
    levels.collect()
}

/// The text of the first heading.
fn first_heading(page: &str) -> String {
    let (_, rest) = page.split_once("<h1").expect("a heading");
    let (_, rest) = rest.split_once('>').expect("its end");
    let (text, _) = rest.split_once("</h1>").expect("its end");
    text.to_owned()
}

/// What is wrong with the outline of a page.
fn wrong(page: &str) -> Vec<String> {
    let count = |part: &str| page.matches(part).count();
    let once = [
        "<h1",
        "<main id=\"main\">",
        "<header class=\"bar-top\">",
        "<footer>",
        "<a class=\"skip\" href=\"#main\">",
    ];
    let mut wrong: Vec<String> = once
        .into_iter()
        .filter(|part| count(part) != 1)
        .map(|part| format!("{} of {part}", count(part)))
        .collect();
    let levels = levels(page);
    let jumps = levels.windows(2).filter(|pair| pair[1] > pair[0] + 1);
    wrong.extend(jumps.map(|pair| format!("h{} follows h{}", pair[1], pair[0])));
    if count("docs/") > 0 {
        wrong.push("a file of the documentation".to_owned());
    }
    wrong
}

fn suite_of(results: &[RunResult]) -> String {
    let place = |size: &str| vec![("block_size".to_owned(), size.to_owned())];
    let places = [place("4KiB"), place("16KiB"), place("64KiB")];
    let cells = results
        .iter()
        .zip(&places)
        .map(|(result, place)| SuiteCell {
            label: "matrix",
            group: 0,
            place,
            results: vec![result],
        });
    suite_page(&SuiteReport {
        name: "sizes",
        description: "three sizes",
        cells: cells.collect(),
        rounds: None,
    })
}

fn plan() -> String {
    let axis = |title: &str| picture::Axis::new(title, picture::Scale::Log);
    let picture = picture::Picture {
        title: "IOPS by size".to_owned(),
        x: axis("GiB"),
        y: axis("IOPS"),
        lines: vec![picture::PictureLine::new(
            "gp3",
            0,
            vec![(1.0, 10.0), (100.0, 1_000.0)],
        )],
    };
    PlanPage {
        answer: vec!["buy gp3:100GiB".to_owned(), "it is the cheapest".to_owned()],
        need: "10,000 IOPS of 8 KiB".to_owned(),
        pictures: vec![PlanPicture {
            picture,
            note: "a note".to_owned(),
        }],
        ..PlanPage::default()
    }
    .render()
}

#[test]
fn every_page_has_one_outline() {
    let runs = [2_000, 2_200, 1_900].map(two_phases);
    let named: Vec<NamedRun<'_>> = runs
        .iter()
        .zip(["before", "after", "again"])
        .map(|(result, label)| NamedRun { label, result })
        .collect();
    let columns = [
        ("before".to_owned(), vec![runs[0].clone()]),
        ("after".to_owned(), vec![runs[1].clone()]),
    ];
    let table = matrix(&columns, &[Metric::Iops]);
    let pages = [
        ("run", page(&four_seconds())),
        ("phases", page(&runs[0])),
        ("compared", html_report(&named)),
        ("suite", suite_of(&runs)),
        ("matrix", matrix_page(&table, "fathom")),
        ("plan", plan()),
    ];
    for (name, page) in &pages {
        assert_eq!(wrong(page), Vec::<String>::new(), "{name}");
    }
    let headings: Vec<(&str, String)> = pages
        .iter()
        .map(|(name, page)| (*name, first_heading(page)))
        .collect();
    insta::assert_debug_snapshot!(headings);
}

#[test]
fn a_short_warm_up_is_named_in_the_legend() {
    let mut run = two_phases(2_000);
    for phase in &mut run.phases {
        phase.warm_up_ns = 100_000_000;
    }
    let page = page(&run);
    let (_, legend) = page.split_once("<ul class=\"legend\">").expect("a legend");
    let (legend, _) = legend.split_once("</ul>").expect("its end");
    let names: Vec<&str> = legend
        .split("</svg>")
        .skip(1)
        .filter_map(|part| part.split('<').next())
        .collect();
    assert_eq!(names, ["warm-up"]);
}
