//! Results that were measured as they should be: direct I/O on data that was written before, with
//! an engine that reaches the depth. Nothing is wrong with them, and nothing must be said to be.

use std::collections::BTreeMap;

use anyhow::Result;

use super::tools::{Bench, explained, faults};
use crate::siege::Siege;
use crate::siege::line::GroupLines;
use crate::siege::random::Random;

/// True of every run here, which last a second: not a false accusation.
const TRUE_OF_ALL: [&str; 2] = ["short", "few_samples"];

const PATTERNS: [&str; 5] = ["read", "write", "randread", "randwrite", "randrw"];
const ENGINES: [&str; 3] = ["libaio", "io_uring", "psync"];
const BLOCKS: [&str; 4] = ["4k", "16k", "64k", "1m"];
const DEPTHS: [u32; 3] = [1, 4, 16];
const FORMATS: [&str; 2] = ["normal", "json"];

const OTHERS: [&str; 6] = [
    "dd if=FILE of=/dev/null bs=1M iflag=direct",
    "dd if=FILE of=NEW bs=1M oflag=direct conv=fdatasync",
    "dd if=FILE of=NEW bs=4M oflag=direct iflag=direct conv=fsync",
    "dd if=LOOP of=/dev/null bs=1M iflag=direct",
    "ioping -c 8 -i 0.1 -D FILE",
    "hdparm -t --direct LOOP",
];

/// A call of fio, drawn.
fn fio(random: &mut Random) -> String {
    let engine = random.pick(&ENGINES);
    let depth = match *engine {
        "psync" => 1,
        _ => *random.pick(&DEPTHS),
    };
    let (pattern, block) = (random.pick(&PATTERNS), random.pick(&BLOCKS));
    let format = random.pick(&FORMATS);
    format!(
        "fio --name=sound --filename=FILE --size=256m --direct=1 --rw={pattern} --bs={block} \
         --ioengine={engine} --iodepth={depth} --refill_buffers --runtime=1 --time_based \
         --output-format={format}"
    )
}

pub(super) fn run(siege: &Siege, bench: &Bench, lines: &mut GroupLines<'_>) -> Result<()> {
    let mut random = Random::new(siege.seed);
    let (mut made, mut accused) = (0_u32, 0_u32);
    let mut said: BTreeMap<&str, u32> = BTreeMap::new();
    let mut example = String::new();
    let wanted = siege.attempts(200, 10);
    while made < wanted {
        siege.go_on()?;
        let call = match random.below(10) {
            0 => (*random.pick(&OTHERS)).to_owned(),
            _ => fio(&mut random),
        };
        let Some(paste) = bench.paste(&call)? else {
            continue;
        };
        made += 1;
        let explanation = explained(&paste);
        let mut found = faults(&explanation);
        found.retain(|code| !TRUE_OF_ALL.contains(code));
        if explanation.reading.evidence.is_empty() {
            found.push("not read");
        }
        if !found.is_empty() {
            accused += 1;
            example = format!("{call}: {}", found.join(", "));
        }
        for code in found {
            *said.entry(code).or_default() += 1;
        }
    }
    let said: Vec<String> = said
        .iter()
        .map(|(code, count)| format!("{code} {count}"))
        .collect();
    lines.add(
        format!("{made} sound results of fio, dd, ioping and hdparm"),
        "98 % without a finding",
        format!("{accused} accused ({}); {example}", said.join(", ")),
        f64::from(accused) <= 0.02 * f64::from(made),
    );
    Ok(())
}
