//! When writes are durable, what they carry, and how that is checked.

use crate::option::{At, FioOption, set};
use crate::settings::Checksum;
use crate::source::Wrong;
use crate::values::{choice, pattern, written_pattern, yes};
use crate::write::{OfJob, Pen};
use fathom_core::rows;
use fathom_core::spec::{BlockForm, FIO_HEADER_BYTES, Fill, Verify};
use fathom_tools::translation::Standing;

const STAMPS: &str = "blocks have fio's headers, one in each part that all sizes of writes are \
                      multiples of. Where these hold no more than a header, or requests lie \
                      elsewhere, they have Fathom's own description. They carry what verify puts \
                      there, whatever buffers hold. What was written and not read back before is \
                      read back once, in the order of its places, with null unchecked";
const AGAIN: &str = "counted for each file, with one behind the last of an amount; fio counts the \
                     writes to all files together, leaves the last one out, and flushes a mix \
                     after reads as well";
const OF_SETS: &str = "only with dedupe_mode=working_set, which is not supported by Fathom";
const IN_THE_END: &str =
    "its time is in the run time and in all rates, and it is not among the flushes of `sync`";
const ACROSS: &str = "fio counts the writes to all files towards one flush";
const STATES: &str = "not supported by Fathom; `fathom verify` checks what an earlier run has \
                      written";
const WHOLE: &str = "the seed in a header is not checked, whoever wrote it";
const AT_ONCE: &str = "checks are made where the read completes";
const FOREIGN: &str = "fio's blocks carry fio's own description: what one tool wrote the other \
                       cannot check";

pub(super) static OPTIONS: &[FioOption] = rows! { FioOption;
    near("sync", "files are opened with O_DSYNC; O_SYNC would make times of change durable as well",
        |to, word| {
        let known = [
            ("none", false),
            ("0", false),
            ("sync", true),
            ("1", true),
            ("dsync", true),
        ];
        to.job.durability.write_through = choice(word, &known)?;
        Ok(())
    }).unless(&["none", "0", "dsync"])
        .of_job(At::Durability(2), |of, pen| {
            pen.put_some(of.job.durability.write_through.then_some("dsync"));
        });
    near("fsync", AGAIN, set!(to, word => to.fsync = to.number(word, 0, u32::MAX.into())?))
        .of_job(At::Durability(3), |of, pen| {
            let sync = of.job.durability.sync.filter(|sync| !sync.data_only);
            pen.put_some(sync.map(|sync| sync.writes));
            let each = sync.is_some() && of.job.targets.len() > 1;
            pen.lose_if(each, Standing::Approximated, "sync", ACROSS);
        });
    near("fdatasync", AGAIN, set!(to, word => to.fdatasync = to.number(word, 0, u32::MAX.into())?))
        .of_job(At::Durability(4), |of, pen| {
            let sync = of.job.durability.sync.filter(|sync| sync.data_only);
            pen.put_some(sync.map(|sync| sync.writes));
            let each = sync.is_some() && of.job.targets.len() > 1;
            pen.lose_if(each, Standing::Approximated, "sync", ACROSS);
        });
    kept("end_fsync", set!(to, word => to.syncs_at_end |= yes(word)?)).remark(IN_THE_END)
        .of_job(At::Durability(6), |of, pen| {
            pen.put_some(of.job.sync_at_end.then_some(1));
        }).says(&["sync_at_end"]);
    kept("fsync_on_close", set!(to, word => to.syncs_at_end |= yes(word)?)).remark(IN_THE_END);
    refused("sync_file_range", "not supported by Fathom; `fdatasync` makes writes durable")
        .unless(&["0", "none"]);
    refused("write_barrier", "there are fsync and fdatasync").unless(&["0"]);
    kept("zero_buffers", set!(to, word => to.zeros = yes(word)?)).flag()
        .of_job(At::Data(0), |of, pen| {
            pen.flag_if(of.job.data.fill == Fill::Zero);
        });
    kept("refill_buffers", set!(to, word => to.refills = yes(word)?)).flag()
        .remark("without it, each 512 bytes of a write begin with a new number, as with fio")
        .of_job(At::Data(3), |of, pen| {
            let data = &of.job.data;
            pen.flag_if(of.mix.writes() && data.fill == Fill::Random);
            let shares = data.compressible_to.0 < 100.0 || data.duplicate.0 > 0.0;
            pen.lose_if(
                of.mix.writes() && data.fill == Fill::Scrambled && shares,
                Standing::Approximated,
                "data",
                "fio fills its buffers anew for what is compressible or duplicate",
            );
        });
    ignored("scramble_buffers", "each 512 bytes of a write begin with a new number in any case")
        .unless(&["1"]);
    kept("buffer_pattern", |to, word| {
        let fill = pattern(word.text())?;
        if fill.has_offset() {
            let message = "fio has no offset in `buffer_pattern`";
            return Err(Wrong::new(
                message,
                "verify=pattern and verify_pattern with %o",
            ));
        }
        to.buffer_pattern = Some(fill);
        Ok(())
    }).remark("of a file up to 64 KiB, where fio 3.33 takes 512 bytes")
        .of_job(At::Data(2), |of, pen| {
            let is_checked = of.job.verify != Verify::Off;
            pen.lose_if(
                matches!(of.job.data.fill, Fill::Ior(_) | Fill::File)
                    && (of.mix.writes() || is_checked),
                if is_checked {
                    Standing::Refused
                } else {
                    Standing::Approximated
                },
                "data",
                "fio has no words for them, and writes random bytes",
            );
            let pattern = written_pattern(of.job.data.fill);
            let Some(pattern) = pattern.filter(|_| of.job.verify == Verify::Off) else {
                return;
            };
            if pattern.contains("%o") {
                let message = "fio puts offsets only into blocks that it verifies; use `verify = \
                               \"stamp\"`";
                return pen.lose(Standing::Refused, "data", message);
            }
            pen.put(pattern);
        });
    kept("buffer_compress_percentage", set!(to, word => to.compressible = to.number(word, 0, 100)?))
        .of_job(At::Data(4), |of, pen| {
            write_share(
                of,
                "compressible_to",
                100.0 - of.job.data.compressible_to.0,
                pen,
            );
        });
    ignored("buffer_compress_chunk", "the compressible part is spread over each 4 KiB");
    kept("dedupe_percentage", set!(to, word => to.duplicate = to.number(word, 0, 100)?))
        .remark("copies are of 4 KiB each")
        .of_job(At::Data(5), |of, pen| {
            write_share(of, "duplicate", of.job.data.duplicate.0, pen);
        });
    near("dedupe_mode",
        "copies are all of one block, where fio's are of the one before; `working_set` is not \
         supported", |_, word| {
        if word.text().trim() == "working_set" {
            let message = "`working_set` is not supported by Fathom";
            return Err(Wrong::new(message, "dedupe_mode=repeat"));
        }
        choice(word, &[("repeat", ())])
    }).unless(&["repeat"]);
    ignored("dedupe_working_set_percentage", OF_SETS);
    ignored("dedupe_global", OF_SETS);
    near("verify", STAMPS, |to, word| {
        to.checksum = match word.text().trim() {
            "0" => Checksum::Off,
            "pattern" => Checksum::Pattern,
            rare if RARE_FORMS.contains(&rare) => {
                let message = format!("`{rare}` is not supported by Fathom");
                return Err(Wrong::new(message, "verify=crc32c"));
            }
            _ => Checksum::On(choice(word, &FORMS)?),
        };
        Ok(())
    }).unless(&["0"])
        .of_job(At::Check(0), |of, pen| {
            let Some((_, nearer)) = of.checks() else {
                return;
            };
            let own = !of.job.compat().verify_as.has_header();
            let is_pattern = of.job.data.fill.is_given() && own;
            let form = FORMS
                .iter()
                .find(|(_, form)| *form == of.job.compat().verify_as);
            pen.put(match form {
                _ if is_pattern => "pattern",
                Some((name, _)) if !own => name,
                _ => "crc32c",
            });
            pen.lose_if(
                !is_pattern && own,
                Standing::Approximated,
                "verify",
                FOREIGN,
            );
            pen.lose_if(
                is_pattern && of.job.compat().verify_as.is_own(),
                Standing::Approximated,
                "verify",
                "fio finds wrong what no job has written, also where a layout has",
            );
            if let Some(nearer) = nearer {
                pen.lose(Standing::Approximated, "verify", nearer);
            }
        });
    kept("do_verify", set!(to, word => to.does_verify = yes(word)?))
        .of_job(At::Check(2), |of, pen| {
            let stamps = matches!(of.checks(), Some((false, _)));
            pen.put_some(stamps.then_some(0));
        });
    kept("verify_fatal", set!(to, word => to.stop_on_mismatch = yes(word)?))
        .remark("wrong blocks are listed one by one, the first 1024 of each file");
    kept("verify_interval",
        set!(to, word => to.verify_interval = to.number(word, 2 * FIO_HEADER_BYTES,
            u32::MAX.into())?))
        .of_job(At::Check(1), |of, pen| {
            let bytes = of
                .job
                .compat()
                .verify_interval
                .filter(|_| of.checks().is_some());
            pen.put_some(bytes.map(|bytes| bytes.0));
        }).says(&["verify_interval"]);
    ignored("verify_header_seed", WHOLE);
    ignored("verify_write_sequence", WHOLE);
    refused("verify_offset", "not supported by Fathom; headers are where their blocks begin")
        .unless(&["0"]);
    near("verify_pattern",
        "with verify=pattern the whole of each request, else what is behind fio's headers, where \
         it runs on through the request; where requests are of several sizes, it begins anew in \
         each block that has a header. Of a file up to 64 KiB, where fio 3.33 takes 512 bytes",
        set!(to, word => to.verify_pattern = Some(pattern(word.text())?)))
        .of_job(At::Data(1), |of, pen| {
            let checked = of.job.verify != Verify::Off;
            pen.put_some(written_pattern(of.job.data.fill).filter(|_| checked));
        });
    ignored("verify_dump", "wrong blocks are listed in the report; no dump files are written")
        .unless(&["0"]);
    ignored("verify_async", AT_ONCE);
    ignored("verify_async_cpus", AT_ONCE);
    kept("verify_backlog",
        set!(to, word => to.verify_backlog = to.number(word, 0, u32::MAX.into())? as u32))
        .remark("of each clone; what is left of it at the end is read back then")
        .of_job(At::Check(3), |of, pen| {
            pen.put_some(of.job.compat().verify_backlog);
        }).says(&["verify_backlog"]);
    refused("verify_backlog_batch",
        "not supported by Fathom; all of `verify_backlog` is read back each time").unless(&["0"]);
    ignored("experimental_verify",
        "written blocks are recorded in memory, not derived from the order of requests");
    refused("verify_only", STATES).unless(&["0"]);
    refused("verify_state_load", STATES).unless(&["0"]);
    refused("verify_policy", STATES).unless(&["completed"]);
    refused("verify_state_save", STATES).unless(&["0"]);
};

/// The checksums of fio, and the form of blocks that have them.
pub(crate) const FORMS: [(&str, BlockForm); 11] = [
    ("md5", BlockForm::FioMd5),
    ("crc32", BlockForm::FioCrc32),
    ("crc32c", BlockForm::FioCrc32c),
    ("crc32c-intel", BlockForm::FioCrc32c),
    ("crc64", BlockForm::FioCrc64),
    ("xxhash", BlockForm::FioXxhash),
    ("sha1", BlockForm::FioSha1),
    ("sha256", BlockForm::FioSha256),
    ("sha512", BlockForm::FioSha512),
    ("meta", BlockForm::FioMeta),
    ("pattern_hdr", BlockForm::FioPattern),
];

/// Forms that fio has and no job file of users asks for.
const RARE_FORMS: [&str; 7] = [
    "crc7", "crc16", "null", "sha3-224", "sha3-256", "sha3-384", "sha3-512",
];

/// A share of the data of writes, in percent.
fn write_share(of: &OfJob<'_>, what: &'static str, share: f64, pen: &mut Pen<'_>) {
    let fill = of.job.data.fill;
    let is_whole = of.job.data.mixed_pattern().is_none() && written_pattern(fill).is_some();
    if !of.mix.writes() || fill == Fill::Zero || is_whole {
        return;
    }
    let whole = share.round();
    pen.put_some((whole > 0.0).then_some(whole));
    pen.lose_if(
        (whole - share).abs() > 1e-9,
        Standing::Approximated,
        what,
        "fio has whole percents; rounded",
    );
}
