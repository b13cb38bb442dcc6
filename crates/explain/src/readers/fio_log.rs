//! A log of fio in which each line is one request: `time in ms, 1, direction, block size`.

use super::ReaderMatch;
use crate::evidence::{Direction, Evidence, Side};
use crate::paste::Line;

/// Lines from which it is no accident.
const LEAST: usize = 5;

pub(crate) fn read(lines: &[Line]) -> Option<ReaderMatch> {
    let (begin, direction, block) = entry(&lines.first()?.text)?;
    let entries = lines.iter().map_while(|line| entry(&line.text));
    let (mut used, mut end) = (0, begin);
    for (at, ..) in entries.take_while(|(at, own, size)| {
        let is_in_order = *at >= begin;
        is_in_order && *own == direction && *size == block
    }) {
        (used, end) = (used + 1, at);
    }
    if used < LEAST {
        return None;
    }
    let mut evidence = Evidence::new("fio", "fio-log");
    evidence.lines = (lines[0].number, lines[used - 1].number);
    evidence.see("rate", lines[0].number);
    evidence.facts.push("fio-each-request");
    evidence.load.block = Some(f64::from(block));
    let seconds = Some(f64::from(end - begin) / 1e3).filter(|seconds| *seconds > 0.0);
    evidence.runtime_s = seconds;
    evidence.sides.push(Side {
        direction,
        requests: Some(used as f64),
        iops: seconds.map(|seconds| (used - 1) as f64 / seconds),
        ..Side::default()
    });
    Some(ReaderMatch {
        evidence: vec![evidence],
        used,
    })
}

/// Milliseconds, direction and size of one request.
fn entry(text: &str) -> Option<(u32, Direction, u32)> {
    let fields: Vec<&str> = text.trim().split(", ").collect();
    let [at, "1", direction, block, ..] = fields.as_slice() else {
        return None;
    };
    let direction = match *direction {
        "0" => Direction::Read,
        "1" => Direction::Write,
        _ => return None,
    };
    let block = block.parse().ok().filter(|block| *block >= 512)?;
    Some((at.parse().ok()?, direction, block))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paste::lines;

    #[test]
    fn the_rate_is_counted_and_not_read() {
        let text = "100, 1, 0, 4096\n110, 1, 0, 4096\n120, 1, 0, 4096\n130, 1, 0, 4096\n\
                    200, 1, 0, 4096\nend";
        let found = read(&lines(text)).expect("a log");
        let one = &found.evidence[0];
        let side = &one.sides[0];
        assert_eq!(
            (found.used, side.requests, side.iops, one.load.block),
            (5, Some(5.0), Some(40.0), Some(4096.0))
        );
        assert!(read(&lines("100, 1, 0, 4096\n110, 7, 0, 4096")).is_none());
    }
}
