//! Priorities of single requests as fio says them, by their sizes.

use super::section::size;
use super::subject::OfJob;
use crate::fio::write::Pen;
use crate::translation::Standing;
use crate::writers::{same, whole_percents};
use fathom_core::Op;
use fathom_core::spec::{IoClass, IoKind, JobEngine, Priority};

/// `cmdprio_bssplit`, where requests have priorities of their own.
pub(in crate::fio) fn write(of: &OfJob<'_>, pen: &mut Pen<'_>) {
    if of.job.kinds.iter().all(|kind| kind.io_class.is_none()) {
        return;
    }
    if of.engine() == Some(JobEngine::Null) {
        let message = "fio gives requests priorities with io_uring and libaio alone";
        return pen.lose(Standing::Refused, "io_class", message);
    }
    let mut rounded = false;
    let both = [Op::Read, Op::Write].map(|op| direction(&of.job.kinds, op, &mut rounded));
    pen.lose_if(
        rounded,
        Standing::Approximated,
        "io_class",
        "fio has whole percents of the requests of each size; rounded",
    );
    let [reads, writes] = both;
    // A direction without a value has that of the other.
    pen.put(format!("{reads},{writes}"));
}

/// What fio says of a direction: sizes, their shares, classes and levels.
fn direction(kinds: &[IoKind], op: Op, rounded: &mut bool) -> String {
    let of_op = || kinds.iter().filter(move |kind| kind.op == op);
    let mut entries = Vec::new();
    let mut had = Vec::new();
    for kind in of_op() {
        if had.contains(&kind.block_size) {
            continue;
        }
        had.push(kind.block_size);
        let alike: Vec<&IoKind> = of_op()
            .filter(|k| k.block_size == kind.block_size)
            .collect();
        let weights: Vec<f64> = alike.iter().map(|kind| kind.weight).collect();
        let all: f64 = weights.iter().sum();
        for (part, (kind, share)) in weights
            .iter()
            .zip(alike.iter().zip(whole_percents(&weights)))
        {
            let Some(priority) = kind.priority() else {
                continue;
            };
            *rounded |= !same(part / all * 100.0, f64::from(share));
            entries.push(entry(kind.block_size.0, share, priority));
        }
    }
    match entries.as_slice() {
        [] => "4k/0".to_owned(),
        entries => entries.join(":"),
    }
}

fn entry(bytes: u64, share: u32, priority: Priority) -> String {
    let class = match priority.class {
        IoClass::RealTime => 1,
        IoClass::BestEffort => 2,
        IoClass::Idle => 3,
    };
    let hint = match priority.hint {
        0 => String::new(),
        hint => format!("/{hint}"),
    };
    format!("{}/{share}/{class}/{}{hint}", size(bytes), priority.level)
}
