//! The table in docs/siege.md.

use std::fmt::Write as _;

use crate::siege::groups::GROUPS;
use crate::siege::kept::Kept;
use crate::siege::line::AttackLog;
use crate::siege::options::Options;

/// What a page is made of.
pub(crate) struct Document<'a> {
    pub(crate) lines: &'a AttackLog,
    /// The same attacks on another program.
    pub(crate) before: Option<&'a Kept>,
    pub(crate) options: &'a Options,
    /// The program, as it calls itself.
    pub(crate) program: &'a str,
    pub(crate) seconds: f64,
}

impl Document<'_> {
    /// The page: counts by group, and each line that was not as expected.
    pub(crate) fn write(&self) -> String {
        let mut page = String::from(
            "# What the siege found\n\n\
             `cargo lab siege --write docs/siege.md` wrote this page. It attacks the program as \
             a sceptical\nengineer and a clumsy operator would; each attack says beforehand what \
             should come of it.\n`cargo lab siege help` lists the groups; a part of those marked \
             with * belongs to `cargo test`.\n\n",
        );
        let options = self.options;
        let quick = if options.is_quick {
            "A quick siege. "
        } else {
            ""
        };
        let minutes = (self.seconds / 60.0).ceil();
        let _ = writeln!(
            page,
            "{quick}Seed {}, effort {}, {minutes:.0} minutes; *after* is {}{}.\n",
            options.seed,
            options.effort,
            self.program,
            match self.before {
                Some(before) => format!(", *before* {}", before.programs.join(" and ")),
                None => String::new(),
            }
        );
        page.push_str(&self.table());
        page.push_str(&unexpected(self.lines));
        page.push_str(&skips(self.lines));
        page
    }

    fn table(&self) -> String {
        let before = self.before.map(|kept| &kept.lines);
        let (more, rule) = match before {
            Some(_) => ("before: attacks | unexpected | after: ", " ---: | ---: |"),
            None => ("", ""),
        };
        let mut table = format!(
            "| group | what is attacked | {more}attacks | unexpected |\n| --- | --- |{rule} ---: | \
             ---: |\n"
        );
        let mut sums = [(0, 0); 2];
        for group in GROUPS {
            let counts = [before, Some(self.lines)].map(|lines| counts(lines, group.name));
            if counts.iter().all(Option::is_none) {
                continue;
            }
            let star = if group.is_quick { " *" } else { "" };
            let [old, new] = counts.map(cells);
            let old = if before.is_some() { old } else { String::new() };
            let _ = writeln!(
                table,
                "| {}{star} | {} |{old}{new}",
                group.name, group.purpose
            );
            for (sum, count) in sums.iter_mut().zip(counts) {
                let (total, unmet) = count.unwrap_or_default();
                *sum = (sum.0 + total, sum.1 + unmet);
            }
        }
        let bold = |(total, unmet)| format!(" **{total}** | **{unmet}** |");
        let old = before.map_or(String::new(), |_| bold(sums[0]));
        let _ = writeln!(table, "| **all** | |{old}{}", bold(sums[1]));
        table
    }
}

/// Attacks of a group, and those that were unexpected; none where it was not made.
fn counts(lines: Option<&AttackLog>, group: &str) -> Option<(usize, usize)> {
    let lines = lines?;
    let total = lines.in_group(group).count();
    let unmet = lines.in_group(group).filter(|line| !line.is_met).count();
    (total > 0 || lines.skipped(group).count() > 0).then_some((total, unmet))
}

fn cells(count: Option<(usize, usize)>) -> String {
    count.map_or_else(
        || " | |".to_owned(),
        |(total, unmet)| format!(" {total} | {unmet} |"),
    )
}

/// Each line that was not as expected; what chance has repeated stands once.
fn unexpected(lines: &AttackLog) -> String {
    let mut page = String::new();
    for group in GROUPS {
        let unmet: Vec<_> = lines
            .in_group(group.name)
            .filter(|line| !line.is_met)
            .collect();
        if unmet.is_empty() {
            continue;
        }
        let _ = writeln!(page, "\n## Unexpected: {}\n", group.name);
        let mut told: Vec<(String, String, String, u32)> = Vec::new();
        for line in unmet {
            let (done, expected) = (plain(&line.done), plain(&line.expected));
            match told
                .iter_mut()
                .find(|one| one.0 == done && one.1 == expected)
            {
                Some(one) => one.3 += 1,
                None => told.push((done, expected, plain(&line.seen), 1)),
            }
        }
        for (done, expected, seen, times) in told {
            let times = if times > 1 {
                format!(" ({times} times)")
            } else {
                String::new()
            };
            let _ = writeln!(
                page,
                "- {done}{times}\n  - expected: {expected}\n  - seen: {seen}"
            );
        }
    }
    page
}

fn skips(lines: &AttackLog) -> String {
    let mut text = String::new();
    for group in GROUPS {
        for why in lines.skipped(group.name) {
            let _ = writeln!(text, "- {}: {}", group.name, plain(why));
        }
    }
    if text.is_empty() {
        text
    } else {
        format!("\n## What this machine could not try\n\n{text}")
    }
}

/// On one line, and without the folder that was different each time.
fn plain(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let temporary = std::env::temp_dir();
        let start = format!("{}/.tmp", temporary.display());
        match word.find(&start) {
            None => word.to_owned(),
            Some(at) => {
                let rest = &word[at + start.len()..];
                let rest = rest.find('/').map_or("", |slash| &rest[slash..]);
                format!("{}DIR{rest}", &word[..at])
            }
        }
    });
    words.collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
