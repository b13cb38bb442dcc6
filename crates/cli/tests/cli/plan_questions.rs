//! Questions of public threads, with answers computed by hand, and what `fathom plan` says first.

use crate::command::Cli;

/// Four lines each: a question in words of our own, its thread, the answer computed by hand from
/// the figures of the vendor, and the words after `fathom`.
const ASKED: &str = include_str!("plan/questions.txt");

/// One of them.
struct PlanCase<'a> {
    question: &'a str,
    link: &'a str,
    right: &'a str,
    command: &'a str,
}

fn asked() -> Vec<PlanCase<'static>> {
    let blocks = ASKED.split("\n\n").map(|block| block.lines().collect());
    blocks
        .map(|lines: Vec<&str>| match lines[..] {
            [question, link, right, command] => PlanCase {
                question,
                link,
                right,
                command,
            },
            _ => panic!("four lines are a question: {lines:?}"),
        })
        .collect()
}

/// The page that has them, from this heading to its end.
const PAGE: &str = "../../docs/plan.md";
const HEADING: &str = "## Questions of others\n";

/// The first sentence of what is printed, as one line.
fn first_sentence(asked: &PlanCase<'_>) -> String {
    let words = fathom_tools::shell_words(asked.command).expect("a line");
    // Disks of one's own have no day.
    let is_of_a_day = asked.command.starts_with("plan");
    let day = is_of_a_day.then(|| "--as-of=2026-11-28".to_owned());
    let dated = words.into_iter().chain(day);
    let page = Cli::new(dated).stdout();
    let mut lines = page.lines();
    let first = lines.next().expect("it answers").to_owned();
    let rest = lines.take_while(|line| line.starts_with("  "));
    rest.fold(first, |all, line| format!("{all} {}", line.trim_start()))
}

#[test]
fn questions_of_others_are_answered_first() {
    let mut section = format!(
        "{HEADING}\nAsked in public threads, by people who plan storage. The right answer was \
         computed by hand from the\nvendor's figures; the last column is the first sentence that \
         Fathom prints, on 2026-11-28.\n\n\
         | question | right | command, and the first sentence of its answer |\n\
         | --- | --- | --- |\n"
    );
    let all = asked();
    assert_eq!(all.len(), 39);
    for asked in &all {
        let (question, link) = (asked.question, asked.link);
        let (right, command) = (asked.right, asked.command);
        let first = first_sentence(asked);
        let answer = format!("`fathom {command}`: {first}");
        section += &[
            "| [", question, "](", link, ") | ", right, " | ", &answer, " |\n",
        ]
        .concat();
    }
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let (before, own) = page.split_at(page.find(HEADING).expect("it has the heading"));
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        std::fs::write(PAGE, format!("{before}{section}")).expect("it can be written");
        return;
    }
    assert_eq!(own, section, "FATHOM_WRITE_DOCS=1 writes {PAGE}");
}
