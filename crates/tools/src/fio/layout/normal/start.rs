//! What stands before the first report: each section with its access, sizes, engine and depth.

use super::amount::Amounts;
use crate::fio::layout::VERSION;
use crate::fio::start::FioStart;

/// The lines of all sections.
pub(in crate::fio) fn start_of(sections: &[FioStart]) -> String {
    let mut text = String::new();
    for section in sections {
        text += &line(section);
        if section.clones > 1 {
            text += "...\n";
        }
    }
    let started = |threads: bool| {
        let alike = sections.iter().filter(|one| one.threads == threads);
        alike.map(|one| one.clones).sum::<u64>()
    };
    let counts = [
        (started(true), "thread", "s"),
        (started(false), "process", "es"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    let words: Vec<String> = counts
        .map(|(count, word, plural)| {
            let plural = if count > 1 { plural } else { "" };
            format!("{count} {word}{plural}")
        })
        .collect();
    format!("{text}{VERSION}\nStarting {}\n", words.join(" and "))
}

fn line(section: &FioStart) -> String {
    let amounts = Amounts {
        digits: section.digits,
    };
    let range = |(least, most): (u64, u64)| {
        let ends = [least, most].map(|bytes| amounts.binary(bytes as f64));
        ends.join("-")
    };
    let [reads, writes, trims] = section.sizes_bytes.map(range);
    let trims = if section.by_order {
        "bs_is_seq_rand".to_owned()
    } else {
        format!("(T) {trims}")
    };
    format!(
        "{}: (g={}): rw={}, bs=(R) {reads}, (W) {writes}, {trims}, ioengine={}, iodepth={}\n",
        section.name, section.group, section.access, section.engine, section.depth
    )
}
