//! The table in docs/siege.md.

use std::fmt::Write as _;

use crate::siege::groups::GROUPS;
use crate::siege::line::Lines;
use crate::siege::options::Options;

/// The page: counts by group, and each line that was not as expected.
pub(crate) fn write(lines: &Lines, options: &Options, seconds: f64) -> String {
    let mut page = String::from(
        "# What the siege found\n\n\
         `cargo xtask siege --write docs/siege.md` wrote this page. It attacks the program as a \
         sceptical\nengineer and a clumsy operator would; each attack says beforehand what should \
         come of it.\n`cargo xtask siege help` lists the groups; a part of those marked with * \
         belongs to `cargo test`.\n\n",
    );
    let _ = writeln!(
        page,
        "{}Seed {}, effort {}, {:.0} minutes.\n",
        if options.is_quick {
            "A quick siege. "
        } else {
            ""
        },
        options.seed,
        options.effort,
        (seconds / 60.0).ceil()
    );
    page.push_str(
        "| group | what is attacked | attacks | unexpected |\n| --- | --- | ---: | ---: |\n",
    );
    let (mut all, mut all_unmet) = (0, 0);
    for group in GROUPS {
        let total = lines.in_group(group.name).count();
        if total == 0 && lines.skipped(group.name).count() == 0 {
            continue;
        }
        let unmet = lines
            .in_group(group.name)
            .filter(|line| !line.is_met)
            .count();
        let star = if group.is_quick { " *" } else { "" };
        let _ = writeln!(
            page,
            "| {}{star} | {} | {total} | {unmet} |",
            group.name, group.purpose
        );
        all += total;
        all_unmet += unmet;
    }
    let _ = writeln!(page, "| **all** | | **{all}** | **{all_unmet}** |");
    page.push_str(&unexpected(lines));
    page.push_str(&skips(lines));
    page
}

/// Each line that was not as expected; what chance has repeated stands once.
fn unexpected(lines: &Lines) -> String {
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

fn skips(lines: &Lines) -> String {
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
