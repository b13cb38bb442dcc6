//! What fio says before it runs: each section, its version, and how many threads there are.

use crate::FioSection;
use crate::layout::version_of;

pub(crate) fn lines(sections: &[FioSection]) -> String {
    let lines: String = sections.iter().map(section).collect();
    let (threads, processes): (Vec<&FioSection>, Vec<&FioSection>) =
        sections.iter().partition(|section| section.has_threads);
    let counted = [
        counted(&threads, "thread", "threads"),
        counted(&processes, "process", "processes"),
    ];
    let counted: Vec<String> = counted.into_iter().flatten().collect();
    let capped = sections.iter().filter(|section| section.is_capped());
    let capped: u64 = capped.map(|section| section.clones).sum();
    let notes = CAPPED.repeat(capped as usize);
    let version = version_of(env!("CARGO_PKG_VERSION"));
    format!(
        "{lines}{version}\nStarting {}\n{notes}",
        counted.join(" and ")
    )
}

/// What is said of each clone that was to have more in flight than its engine can.
const CAPPED: &str = "note: both iodepth >= 1 and synchronous I/O engine are selected, queue depth \
                      will be capped at 1\n";

impl FioSection {
    const fn is_capped(&self) -> bool {
        self.is_synchronous && self.depth > 1
    }
}

fn section(section: &FioSection) -> String {
    let [reads, writes, trims] = section.blocks.map(|(least, most)| {
        let ends = [least, most].map(|bytes| section.units.bytes(bytes as f64));
        ends.join("-")
    });
    let last = if section.by_order {
        "bs_is_seq_rand".to_owned()
    } else {
        format!("(T) {trims}")
    };
    let line = format!(
        "{}: (g={}): rw={}, bs=(R) {reads}, (W) {writes}, {last}, ioengine={}, iodepth={}\n",
        section.name, section.group, section.pattern, section.engine, section.depth
    );
    if section.clones > 1 {
        line + "...\n"
    } else {
        line
    }
}

fn counted(sections: &[&FioSection], one: &str, several: &str) -> Option<String> {
    let number: u64 = sections.iter().map(|section| section.clones).sum();
    match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        number => Some(format!("{number} {several}")),
    }
}
