//! The page of threads, in Markdown.

use std::fmt::Write as _;

use super::threads::Thread;

pub(super) const HEAD: &str = "\
# Public threads, and what `fathom explain` answers

`cargo lab explain --write` wrote this page; with `--held-out` it also has the sets that were held
out. A score is blind only when a set is looked at first: 10 of 20, 6 of 24, 7 of 16, 5 of 24,
7 of 20, 8 of 24 and 13 of 20 of the first seven below. Of the last four it is 3 of 21, 1 of 24,
0 of 16 and 4 of 18: there somebody who knew no rule judged each answer strictly. The rules have
learnt from all of them since.

Each line is a public thread in which somebody asks about a result;
`lab/corpus/explain/README.md` describes the collection. *Expert* is the cause that the thread
gives, *shown* whether the output alone can show it, and the answer is the list of codes that
`fathom explain` finds, the most important first. An answer agrees if any of its codes names the
cause.
";

fn percent(part: usize, all: usize) -> String {
    format!(
        "{part} of {all} ({:.0} %)",
        100.0 * part as f64 / all as f64
    )
}

/// Score and table of a set.
pub(super) fn section(set: &str, threads: &[Thread]) -> String {
    let all = threads.len();
    let agreeing = |wanted: &dyn Fn(&Thread) -> bool| {
        let of_kind = threads.iter().filter(|thread| wanted(thread));
        let (agree, count) = of_kind.fold((0, 0), |(agree, count), thread| {
            (agree + usize::from(thread.agrees()), count + 1)
        });
        percent(agree, count)
    };
    let first = threads.iter().filter(|one| one.agrees_within(3)).count();
    let floor = threads.iter().filter(|one| one.is_of_memory()).count();
    let mut text = format!(
        "\n## {set}\n\nCause named: {}; among the first three codes: {first} of {all}; where the \
         output can show it: {}; where it makes it likely: {}. Threads whose answer was read: {}. \
         The answer \"the page cache may have answered\" for everything would score {}.\n\n",
        agreeing(&|_| true),
        agreeing(&|one| one.shows == "yes"),
        agreeing(&|one| one.shows == "partly"),
        agreeing(&|one| one.answer == "read"),
        percent(floor, all),
    );
    text += "| thread | tool | expert | shown | fathom | agree |\n\
             | --- | --- | --- | --- | --- | --- |\n";
    for thread in threads {
        let codes = thread.codes();
        let codes = if codes.is_empty() {
            "nothing".to_owned()
        } else {
            codes.join(", ")
        };
        let agree = if thread.agrees() { "yes" } else { "**no**" };
        let (title, url, tool) = (thread.title.replace('|', "\\|"), &thread.url, &thread.tool);
        let (cause, says, shows) = (&thread.cause, &thread.says, &thread.shows);
        writeln!(
            text,
            "| [{title}]({url}) | {tool} | `{cause}`: {says} | {shows} | {codes} | {agree} |"
        )
        .expect("a text takes all");
    }
    text
}
