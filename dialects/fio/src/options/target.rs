//! Files and devices, and how much of them.

use crate::option::{At, FioOption, set};
use crate::settings::Settings;
use crate::source::Wrong;
use crate::values::{Amount, choice, yes};
use crate::write::place;
use crate::write::{size, times};
use fathom_core::rows;
use fathom_core::spec::Walk;
use fathom_tools::translation::Standing;

/// Most files of a job; how many all of them may have together is another question.
const MOST_FILES: u64 = 1 << 22;

/// How fio has the file system take room for a file.
const ALLOCATIONS: [(&str, ()); 7] = [
    ("none", ()),
    ("native", ()),
    ("posix", ()),
    ("keep", ()),
    ("truncate", ()),
    ("0", ()),
    ("1", ()),
];

const MADE: &str = "files are made before the clock runs, whatever fio would do";
const STRIDED: &str = "only with zonemode=strided, which is not supported by Fathom";
const ZONES: &str = "the limits and the write pointers are the device's";

pub(super) static OPTIONS: &[FioOption] = rows! { FioOption;
    kept("filename", |to, word| {
        // fio 3.33 does not replace the files of an earlier line, it adds to them.
        to.filenames.extend(Settings::names(word)?);
        let count = to.filenames.len();
        let added = (to.has_filenames && count > 1)
            .then(|| format!("fio adds files to those of an earlier `filename`: {count} in all"));
        to.trap(word, added);
        to.has_filenames = true;
        Ok(())
    })
        .remark("on a drive of Windows, as `r\\:\\temp\\io.dat`, where `--map-drive=r=DIR` says it \
             is. Folders on the way that are not there are not made: behind a mount point that is \
             misspelt, or not mounted, fio makes them, and measures another disk")
        .of_job(At::Target(0), |of, pen| pen.put(of.paths.join(":")));
    kept("directory", set!(to, word => to.directories = Settings::names(word)?));
    kept("filename_format", set!(to, word => word.text().clone_into(&mut to.filename_format)));
    kept("nrfiles", set!(to, word => to.files = to.number(word, 1, MOST_FILES)?))
        .alias(&["nr_files"]);
    refused("file_service_type",
        "not supported by Fathom; files have their turns one request after the other, and a \
         section for each sets another order").unless(&["roundrobin", "roundrobin:1"]);
    kept("filesize", |to, word| {
        if word.text().contains('-') {
            let message = "a range of file sizes is not supported by Fathom";
            return Err(Wrong::new(message, "one size, or a section for each"));
        }
        to.file_bytes = Some(to.number(word, 1, i64::MAX as u64)?);
        Ok(())
    });
    kept("size", |to, word| {
        // No size stands for the size of the existing content.
        to.size = Some(to.amount(word)?).filter(|size| *size != Amount::Bytes(0));
        Ok(())
    })
        .remark("without it, and without an existing target, fio has nothing to do. A job that \
             only reads is refused on a file that is shorter: fio makes it longer, or with \
             --readonly reads to its end and fails there, and neither is what was asked for")
        .of_job(At::Target(1), place::write_size);
    kept("io_size", |to, word| {
        let amount = to.amount(word)?;
        if matches!(amount, Amount::Percent(percent) if percent > 100.0) {
            let message = "more than 100 % of the size, which fio 3.33 does not take";
            return Err(Wrong::new(message, "that number of bytes, or `loops`"));
        }
        to.io_size = Some(amount);
        Ok(())
    }).alias(&["io_limit"])
        .remark("with a larger one and `loops`, in whole passes, as with fio; those of a mix in \
             order, which fio ends with that of either direction, are as long as in the mean; what \
             is verified behind a pass is part of it, as with fio")
        .of_job(At::Time(9), times::write_amount);
    kept("offset", set!(to, word => to.offset = to.amount(word)?)).alias(&["fileoffset"])
        .remark("a share of a file that is not there yet is nothing, as with fio, so that the next \
             run begins elsewhere")
        .of_job(At::Target(2), |of, pen| {
            let offset = of.job.offset.0;
            pen.put_some((offset > 0).then(|| size(offset)));
        });
    kept("offset_align", set!(to, word => to.offset_align = to.number(word, 0, 1 << 40)?));
    kept("offset_increment", set!(to, word => to.offset_increment = to.amount(word)?))
        .remark("the clones become jobs of their own")
        .of_job(At::Clones(0), |of, pen| {
            pen.put_some(of.parts.apart().map(size));
        });
    kept("unlink", set!(to, word => to.wishes.keep_files = !yes(word)?))
        .remark("files stay at the end, as with fio, unless all sections say otherwise; fio \
             removes those of each that does");
    kept("overwrite", set!(to, word => to.overwrite = yes(word)?))
        .of_job(At::Durability(5), |of, pen| {
            // Files are really written before, unless they are to grow.
            let before = of.mix.writes() && !of.job.fresh;
            pen.put_some(before.then_some(1));
        });
    kept("invalidate", set!(to, word => to.invalidate = yes(word)?))
        .of_job(At::Durability(1), |of, pen| {
            let kept = !of.job.cold && !of.job.durability.direct;
            pen.put_some(kept.then_some(0));
            pen.lose_if(
                of.job.warm,
                Standing::Approximated,
                "warm",
                "fio reads from the page cache without marking it as intended",
            );
            let buffered = of.job.cold && !of.job.durability.direct;
            let again = of.job.compat().cold_again.map(|bytes| bytes.0);
            pen.lose_if(
                buffered && again != times::pass_bytes(of),
                Standing::Approximated,
                "cold_again",
                "fio drops pages before each pass over what a job uses",
            );
        }).says(&["cold", "cold_again", "warm"]);
    near("openfiles", "all files of a job are open and have their turns", |_, _| Ok(()))
        .unless(&["0"]);
    near("fallocate",
        "where it leaves the length of a file to its writes, that is as long; but a file that is \
         read or written at random is really written before, and one that is only written in order \
         grows", |_, word| choice(word, &ALLOCATIONS).map(drop)).unless(&["native"]);
    ignored("create_serialize", MADE).unless(&["1"]);
    ignored("create_fsync", MADE).unless(&["1"]);
    near("fadvise_hint", "0 or 1; with 0, random reads are still announced as random",
        set!(to, word => to.is_untold = choice(word, &[("0", true), ("none", true), ("1",
            false)])?)).unless(&["1"])
        .of_job(At::Durability(7), |of, pen| {
            // Where nothing is said, fio tells of reads in order that they are.
            let job = of.job;
            let is_untold = job.compat().read_ahead.is_none() && !job.is_random();
            pen.put_some((job.is_read_ahead() && is_untold).then_some(0));
        }).says(&["read_ahead"]);
    ignored("unique_filename", "generated names of --client always begin with the host's");
    near("create_on_open",
        "writes that go over all of a new file make it, in order or at random once; what else \
         finds no file, or a shorter one, has it laid out before, where fio 3.33 leaves holes, and \
         fails at the first read of what is not there",
        set!(to, word => to.makes_on_open = yes(word)?)).unless(&["0"]);
    kept("create_only", |to, word| {
        let is_idle = yes(word)?;
        to.job.set_compat(|compat| compat.idle = is_idle);
        Ok(())
    })
        .of_job(At::Target(3), |of, pen| {
            pen.put_some(of.job.compat().idle.then_some(1));
        }).says(&["idle"]);
    kept("allow_file_create", set!(to, word => to.only_there = !yes(word)?))
        .remark("with 0 a file that is missing or too short is refused; fio 3.33 removes one that \
             is too short").unless(&["1"]);
    refused("allow_mounted_write",
        "a mounted device is never written; unmount it, and name it with --destroy").unless(&["0"]);
    kept("fill_device", set!(to, word => to.fills = yes(word)?)).alias(&["fill_fs"])
        .remark("only for jobs that write all of a new file or a device in order").unless(&["0"])
        .of_job(At::Target(4), |of, pen| {
            pen.put_some(of.job.stop.when_full.then_some(1));
        });
    refused("file_append", "not supported by Fathom; give the end of the file as `offset`")
        .unless(&["0"]);
    refused("pre_read", "not supported by Fathom; read the file before the run, as with `cat FILE`")
        .unless(&["0"]);
    refused("filetype", "files are files");
    refused("opendir", "not supported by Fathom; `filename` names files, several with `:`")
        .unless(&[""]);
    refused("lockfile", "requests take no locks").unless(&["none"]);
    refused("unlink_each_loop",
        "not supported by Fathom; the passes of a job share one set of files, and a section for \
         each, with stonewall and unlink=1, does not").unless(&["0"]);
    kept("zonemode", |to, word| {
        if word.text().trim() == "strided" {
            let message = "`strided` zones are not supported by Fathom";
            return Err(Wrong::new(
                message,
                "rw=read:N, which leaves N bytes out after each request, if a zone holds one \
                 request",
            ));
        }
        to.zoned = choice(word, &[("none", false), ("zbd", true)])?;
        Ok(())
    })
        .remark("with zbd each clone writes to zones of its own, one request at a time to each, \
             and reads are made anywhere")
        .of_job(At::Order(0), |of, pen| {
            let is_zoned = matches!(of.job.access.walk, Walk::WritePointers { .. });
            pen.put_some(is_zoned.then_some("zbd"));
        });
    kept("zonesize", set!(to, word => to.zone_bytes = to.number(word, 0, i64::MAX as u64)?))
        .remark("only with zonemode=zbd; it has to be that of the device")
        .of_job(At::Order(1), |of, pen| {
            pen.put_some(place::expected_zone(of));
        });
    refused("zonerange", STRIDED).unless(&["0"]);
    refused("zonecapacity", ZONES).unless(&["0"]);
    refused("zoneskip", STRIDED).unless(&["0"]);
    refused("read_beyond_wp", ZONES).unless(&["0"]);
    kept("max_open_zones",
        set!(to, word => to.open_zones = to.number(word, 0, i32::MAX as u64)? as u32))
        .remark("only with zonemode=zbd; of one job, since no other writes to its zones")
        .of_job(At::Order(6), |of, pen| {
            pen.put_some(place::open_zones(of).0);
        });
    kept("job_max_open_zones",
        set!(to, word => to.open_zones_of_job = to.number(word, 0, i32::MAX as u64)? as u32))
        .remark("only with zonemode=zbd")
        .of_job(At::Order(7), |of, pen| {
            pen.put_some(place::open_zones(of).1);
        });
    refused("ignore_zone_limits", ZONES).unless(&["0"]);
    refused("zone_reset_threshold", ZONES);
    refused("zone_reset_frequency", ZONES);
};
