//! A file so small that caches hold it, or that says little about its device.

use super::memory_target::is_in_memory;
use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, size};
use fathom_core::result::{RunResult, TargetInfo};
use fathom_core::{Bytes, Caveat, Level};

thresholds! {
    /// Times the memory that a file read through the page cache must have: one is not enough,
    /// since the kernel keeps a part of every pass
    MEMORIES: u64 = 2, Times, Decided "as InterSystems requires for a database";
    /// Share of the device that a file must cover: a smaller one may fit its caches, and the arm of
    /// a disk hardly moves
    COVERED: f64 = 0.05, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the target is large compared with memory and device",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { SmallFile: File, Number, "note; qualified if buffered",
            "a direct file covers less than {COVERED} of its device, or a buffered file is smaller \
             than {MEMORIES:times} the memory",
            [row::MEMORIES, row::COVERED],
            Example::Run(samples::reads, |r| {
                r.provenance.targets[0].size_bytes = Bytes::GIB.0;
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !subject::touches_storage(result) {
        return;
    }
    let memory = result.provenance.host.usable_bytes();
    let files = result
        .provenance
        .targets
        .iter()
        .filter(|target| target.kind == "file" && !is_in_memory(target));
    for target in files {
        let found = if target.direct {
            of_device(target)
        } else {
            of_memory(target, memory)
        };
        caveats.extend(found.map(|caveat| caveat.about(target.path.clone())));
    }
}

fn of_memory(target: &TargetInfo, memory: u64) -> Option<Caveat> {
    if target.size_bytes >= memory.saturating_mul(MEMORIES) {
        return None;
    }
    let message = format!(
        "the file has {} and the machine {} of memory. The page cache serves a part of it",
        size(target.size_bytes),
        size(memory)
    );
    let remedy = format!(
        "use a file of at least {}, or direct I/O",
        size(memory * MEMORIES)
    );
    Some(
        Code::SmallFile
            .caveat(Level::Qualified, message)
            .remedy(remedy),
    )
}

fn of_device(target: &TargetInfo) -> Option<Caveat> {
    let leaves = target.devices.iter().filter(|device| device.leaf);
    let device_bytes: u64 = leaves.clone().map(|device| device.size_bytes).sum();
    let share = target.size_bytes as f64 / device_bytes as f64;
    if device_bytes == 0 || share >= COVERED {
        return None;
    }
    let names: Vec<&str> = leaves.map(|device| device.name.as_str()).collect();
    let message = format!(
        "the file covers {} of {}. Caches of the device may hold it",
        percent(share * 100.0),
        names.join(", ")
    );
    let remedy = "use a larger file if the real workload is larger";
    Some(Code::SmallFile.caveat(Level::Note, message).remedy(remedy))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn a_file_in_memory_is_another_check_s() {
        let mut result = with_file(1 << 30, false);
        result.provenance.targets[0].file_system = "tmpfs".to_owned();
        assert_eq!(found(&CHECK, &result), []);
    }

    fn with_file(bytes: u64, direct: bool) -> RunResult {
        let mut result = fixture::random_read();
        let target = &mut result.provenance.targets[0];
        target.size_bytes = bytes;
        target.direct = direct;
        result
    }

    #[test]
    fn a_direct_file_is_held_against_its_device_of_128_gib() {
        assert_eq!(found(&CHECK, &with_file(7 << 30, true)), []);
        let expected = Code::SmallFile
            .caveat(
                Level::Note,
                "the file covers 0.8 % of vda. Caches of the device may hold it",
            )
            .remedy("use a larger file if the real workload is larger")
            .about("/data/fathom.dat");
        assert_eq!(found(&CHECK, &with_file(1 << 30, true)), [expected]);
    }

    #[test]
    fn a_buffered_file_is_held_against_the_memory_of_24_gib() {
        assert_eq!(found(&CHECK, &with_file(48 << 30, false)), []);
        let expected = Code::SmallFile
            .caveat(
                Level::Qualified,
                "the file has 47 GiB and the machine 24 GiB of memory. The page cache serves a \
                 part of it",
            )
            .remedy("use a file of at least 48 GiB, or direct I/O")
            .about("/data/fathom.dat");
        assert_eq!(found(&CHECK, &with_file(47 << 30, false)), [expected]);
    }
}
