//! Rules of what writes carry, and of how it is checked.

use super::Findings;
use crate::op::Op;
use crate::spec::{BlockForm, Fill, IoKind, Job, MAX_DATA_FILE_BYTES, VERIFY_UNIT_BYTES, Verify};

/// What is flushed in the end was written.
fn check_at_end(job: &Job, findings: &mut Findings<'_>) {
    let writes = job.kinds.iter().any(|kind| kind.op == Op::Write) || job.replay.is_some();
    if job.sync_at_end && !writes {
        findings.add(
            "sync_at_end",
            "there are no writes that could be flushed",
            "a kind of request with `op = \"write\"`, or drop `sync_at_end`",
        );
    }
}

/// Rules of derivable bytes.
fn check_told(job: &Job, findings: &mut Findings<'_>) {
    let data = &job.data;
    if !data.fill.is_given() {
        return;
    }
    let mixes = data.mixed_pattern().is_some() && !job.verify.stamps();
    let whole = data.compressible_to.0 >= 100.0 || mixes && !data.fill.has_offset();
    if !whole || data.duplicate.0 > 0.0 {
        findings.add(
            "fill",
            "a pattern is fixed: it cannot have duplicates, and only an unchecked one can follow \
             random bytes",
            "use `fill = \"random\"` with `compressible_to` or `duplicate`",
        );
    }
    let has_offset = data.fill.has_offset();
    let one_size = |kind: &IoKind| {
        kind.block_size == job.kinds[0].block_size
            && kind.align.0.is_multiple_of(kind.block_size.0.max(1))
    };
    let begins = job.verify.stamps()
        && !job.compat().verify_as.has_header()
        && !is_alike_everywhere(data.fill, job);
    if begins && !job.kinds.iter().all(one_size) {
        findings.add(
            "fill",
            "a pattern begins anew with each request, so that checks need to know where",
            "give all kinds one `block_size` and the same `align`, or use `fill = \"random\"`",
        );
    }
    if has_offset && job.replay.is_some() && job.verify.stamps() {
        findings.add(
            "fill",
            "recorded requests are of any size, so that their offsets cannot be checked",
            "use a pattern without `%o`, or `verify = \"off\"`",
        );
    }
}

/// Whether what a pattern puts into each 512 bytes is the same wherever requests begin.
fn is_alike_everywhere(fill: Fill, job: &Job) -> bool {
    let Fill::Pattern(pattern) = fill else {
        return false;
    };
    let unit = VERIFY_UNIT_BYTES;
    let whole =
        |kind: &IoKind| kind.block_size.0.is_multiple_of(unit) && kind.align.0.is_multiple_of(unit);
    let repeats = unit.is_multiple_of(pattern.bytes().len() as u64) && !pattern.has_offset();
    repeats && job.kinds.iter().all(whole)
}

/// The file whose content writes carry.
fn check_data_file(job: &Job, findings: &mut Findings<'_>) {
    let Some(file) = &job.compat().data_file else {
        if job.data.fill == Fill::File {
            findings.add(
                "data.fill",
                "no file is named whose content writes carry",
                "add `data_file = { path = \"…\", size = \"20MiB\" }`",
            );
        }
        return;
    };
    if job.data.fill != Fill::File {
        findings.add(
            "compat.data_file",
            "writes do not carry what a file holds",
            "add `fill = \"file\"`, or omit it",
        );
    }
    if file.path.is_empty() {
        findings.add("data_file.path", "no path is given", "name a file");
    }
    let (size, largest) = (file.size, job.largest_io());
    if size.0 < largest.0.max(1) || size.0 > MAX_DATA_FILE_BYTES {
        findings.add(
            "data_file.size",
            format!("parts of {largest} cannot be taken from {size}"),
            "give at least the largest request, and at most 4 GiB",
        );
    }
}

pub(super) fn check(job: &Job, findings: &mut Findings<'_>) {
    check_at_end(job, findings);
    let data = &job.data;
    {
        let mut findings = findings.below("data");
        let shares = [
            ("compressible_to", data.compressible_to),
            ("duplicate", data.duplicate),
        ];
        for (key, percent) in shares {
            if !percent.is_valid() {
                findings.add(key, format!("{percent} is not a share"), "give 0 to 100");
            }
        }
        let plain = data.compressible_to.0 >= 100.0 && data.duplicate.0 <= 0.0;
        if data.fill == Fill::Zero && !plain {
            findings.add(
                "fill",
                "zeros are fully compressible and duplicate already",
                "use `fill = \"random\"` with `compressible_to` or `duplicate`",
            );
        }
        check_told(job, &mut findings);
        if data.fill == Fill::File && !plain {
            findings.add(
                "fill",
                "the content of a file is fixed: its compressibility and duplicates cannot be set",
                "use `fill = \"random\"` with `compressible_to` or `duplicate`",
            );
        }
        if job.verify != Verify::Off && data.fill == Fill::File {
            findings.add(
                "fill",
                "parts of a file do not describe themselves",
                "use `fill = \"random\"`, or `verify = \"off\"`",
            );
        }
        if job.verify.stamps() && (data.duplicate.0 > 0.0 || data.fill == Fill::Zero) {
            findings.add(
                "fill",
                "self-describing blocks are neither zero nor duplicate",
                "use `fill = \"random\"` without `duplicate`, or `verify = \"off\"`",
            );
        }
    }
    check_data_file(job, findings);
    if job.verify == Verify::Off {
        return;
    }
    let odd = |kind: &IoKind| {
        !kind.block_size.0.is_multiple_of(VERIFY_UNIT_BYTES)
            || !kind.align.0.is_multiple_of(VERIFY_UNIT_BYTES)
    };
    if job.compat().verify_as.is_own() && job.kinds.iter().any(odd) {
        findings.add(
            "verify",
            "self-describing blocks are 512B each",
            "use block sizes and alignments that are a multiple of 512B",
        );
    }
    if job.kinds.iter().any(|kind| kind.op == Op::Trim) {
        findings.add(
            "verify",
            "a trimmed block has no content to check",
            "drop the trims",
        );
    }
}

/// Blocks with fio's headers are of one size and checked whole.
pub(super) fn check_block_form(job: &Job, findings: &mut Findings<'_>) {
    let compat = job.compat();
    if compat.verify_as == BlockForm::FioBare && !(job.verify.stamps() && job.data.fill.is_given())
    {
        findings.add(
            "compat.verify_as",
            "there is nothing that could be checked without a header",
            "give a pattern and `verify`, as in `fill = \"pattern:deadbeef\"`",
        );
    }
    if !compat.verify_as.has_header() {
        if compat.verify_interval.is_some() {
            findings.add(
                "compat.verify_interval",
                "blocks without fio's headers are of 512B each",
                "drop it, or use `verify_as = \"fio_crc32c\"`",
            );
        }
        return;
    }
    if !job.verify.stamps() {
        findings.add(
            "compat.verify_as",
            "nothing is checked",
            "use `verify = \"stamp\"`, `\"check\"` or `\"read_back\"`, or drop it",
        );
        return;
    }
    if compat.verify_as == BlockForm::FioPattern && !job.data.fill.is_given() {
        findings.add(
            "compat.verify_as",
            "there is no pattern behind the header",
            "give one, as in `fill = \"pattern:deadbeef\"`",
        );
    }
    let block = compat.verify_interval.unwrap_or(job.largest_io()).0;
    let fits = |kind: &IoKind| {
        kind.block_size.0.is_multiple_of(block.max(1)) && kind.align.0.is_multiple_of(block.max(1))
    };
    if !compat.verify_as.fits(block) || block > u64::from(u32::MAX) || !job.kinds.iter().all(fits) {
        findings.add(
            "compat.verify_as",
            "fio's blocks are of one size, of which all requests have to be, and hold more than a \
             header",
            format!(
                "give all kinds one `block_size` and `align`, or a `verify_interval` that is in \
                 all of them, of more than {} bytes",
                compat.verify_as.header_bytes()
            ),
        );
    }
}
