//! How requests reach the storage.

use crate::option::{At, FioOption, set};
use crate::settings::{Settings, name_of};
use crate::source::Wrong;
use crate::values::yes;
use fathom_core::rows;
use fathom_tools::translation::Standing;

const WITHOUT_WAIT: &str = "0, to look without waiting, waits for one";
const ALL_TAKEN: &str = "completions that are there are taken together, as many as there are";
const POLLING: &str = "only with io_uring and io_uring_cmd, for all jobs if for any";
const HIPRI: &str = "with io_uring and io_uring_cmd, for all jobs if for any; pvsync2 is not \
                     polled for, as Linux 6.0 and later do not";
const SG: &str = "only with `sg`";
const URGENT: &str =
    "not supported by Fathom; prio and prioclass give all requests of a job one priority";
const UNFLAGGED: &str = "not supported by Fathom; requests have no flags of their own";
const WITHDRAWN: &str = "not supported by Fathom; writes carry no hint of how long they live";

/// Deepest queue of fio.
const MOST_DEPTH: u64 = 32_768;

pub(super) static OPTIONS: &[FioOption] = rows! { FioOption;
    kept("ioengine", Settings::engine)
        .remark("sync, psync, vsync, pvsync and pvsync2 are psync, and so is splice, without its \
             pipe; mmap tells the kernel of random orders alone; posixaio and windowsaio are the \
             best that works; others not for block storage are refused, and those of whole files, \
             which jobs with `files` deal with (docs/files.md); io_uring_cmd is nvme, direct \
             whatever `direct` says")
        .of_run(At::Engine(0), |run, pen| {
            let engine = run.engine();
            pen.put(name_of(engine));
            pen.lose_if(
                run.wishes.engine.is_some_and(|wish| wish != engine),
                Standing::Approximated,
                "engine",
                "fio's synchronous engines keep one request in flight, so it is io_uring",
            );
            let jobs = || run.workload.phases.iter().flat_map(|phase| &phase.jobs);
            pen.lose_if(
            jobs().any(|job| job.engine.is_some()) && jobs().any(|job| job.engine.is_none()),
            Standing::Approximated,
            "engine",
            "fio has an engine for every section, so it is named for those that have that of the \
             run, too",
        );
        })
        .of_job_too(At::Clones(1), |of, pen| {
            let own = of.engine();
            pen.put_some(own.map(name_of));
            pen.lose_if(
                own != of.job.engine,
                Standing::Approximated,
                "engine",
                "fio's synchronous engines keep one request in flight, so it is io_uring",
            );
        }).says(&["engine"]);
    kept("iodepth", set!(to, word => to.depth = to.number(word, 1, MOST_DEPTH)?))
        .of_job(At::Clones(2), |of, pen| {
            pen.put(of.clones.depth.min(MOST_DEPTH));
            pen.lose_if(
                of.clones.depth > MOST_DEPTH,
                Standing::Refused,
                "queue_depth",
                "fio's iodepth ends at 32768",
            );
        });
    kept("iodepth_batch",
        set!(to, word => to.job.submit_batch = Some(to.number(word, 1, MOST_DEPTH)? as u32)))
        .alias(&["iodepth_batch_submit"]).spelt("iodepth_batch_submit")
        .of_job(At::Clones(3), |of, pen| pen.put_some(of.job.submit_batch)).says(&["submit_batch"]);
    near("iodepth_batch_complete_min", WITHOUT_WAIT,
        set!(to, word => to.job.complete_batch = Some(to.number(word, 0, MOST_DEPTH)?.max(1) as
            u32))).alias(&["iodepth_batch_complete"])
        .of_job(At::Clones(4), |of, pen| pen.put_some(of.job.complete_batch))
        .says(&["complete_batch"]);
    ignored("iodepth_batch_complete_max", ALL_TAKEN);
    near("iodepth_low",
        "a thread continues when N requests are left in flight, even if the queue was not full",
        set!(to, word => to.depth_low = to.number(word, 0, MOST_DEPTH)?));
    kept("serialize_overlap", set!(to, word => to.serializes = yes(word)?))
        .remark("only with one request in flight, which overlaps with none").unless(&["0"]);
    ignored("io_submit_mode", "completions never hold up requests that arrive by the clock")
        .unless(&["inline"]);
    kept("direct", set!(to, word => to.job.durability.direct = yes(word)?))
        .of_job(At::Durability(0), |of, pen| {
            pen.put(u8::from(of.job.durability.direct));
        });
    kept("buffered", set!(to, word => to.job.durability.direct = !yes(word)?));
    refused("atomic",
        "fio 3.33 asks for it by a flag of open that no kernel has, so that it comes to direct=1; \
         no write is asked to be atomic here").unless(&["0"]);
    refused("write_hint", WITHDRAWN).unless(&["none"]);
    ignored("mem", "buffers are aligned, in huge pages where that is asked for").alias(&["iomem"])
        .unless(&["malloc"])
        .also(set!(to, word => to.wishes.huge_pages = word.text().contains("huge")))
        .of_run(At::Run(4), |run, pen| {
            pen.put_some(run.wishes.huge_pages.then_some("shmhuge"));
        });
    ignored("iomem_align", "buffers are aligned to pages").alias(&["mem_align"]);
    ignored("hugepage-size", "huge pages have the size that the system gives them");
    refused("lockmem", "memory is not taken away on purpose").unless(&["0"]);
    ignored("clocksource", "Fathom says which clock it uses, and its cost");
    ignored("gtod_cpu", "no thread is spent on a clock");
    ignored("userspace_reap", "completions are taken from the ring where that works").flag();
    ignored("fixedbufs", "io_uring has fixed buffers wherever it can").flag();
    ignored("registerfiles", "io_uring has registered files wherever it can").flag();
    ignored("nonvectored", "requests have one buffer each");
    near("hipri", HIPRI, set!(to, word => to.wishes.completion_polling = yes(word)?)).flag()
        .unless(&["0"])
        .of_run(At::Run(5), |run, pen| {
            pen.flag_if(run.wishes.completion_polling);
        });
    refused("hipri_percentage", "all requests are polled for, or none").unless(&["100"]);
    near("sqthread_poll", POLLING, set!(to, word => to.wishes.submission_polling = yes(word)?))
        .flag().unless(&["0"])
        .of_run(At::Run(6), |run, pen| {
            pen.flag_if(run.wishes.submission_polling);
        });
    kept("sqthread_poll_cpu",
        set!(to, word => to.wishes.submission_cpu = Some(to.number(word, 0, 4095)? as u32)))
        .remark("only with `sqthread_poll`; the first of several holds for all jobs")
        .of_run(At::Run(10), |run, pen| {
            pen.put_some(run.wishes.submission_cpu);
        });
    refused("nowait", UNFLAGGED).unless(&["0"]);
    refused("uncached", UNFLAGGED).unless(&["0"]);
    refused("force_async", UNFLAGGED).unless(&["0"]);
    kept("cmd_type", |_, word| match word.text().trim() {
        "nvme" => Ok(()),
        other => {
            let message = format!("`{other}` is not a value of `cmd_type`");
            Err(Wrong::new(message, "cmd_type=nvme"))
        }
    }).remark("only with io_uring_cmd");
    refused("cmdprio_percentage", URGENT).unless(&["0"]);
    refused("cmdprio_class", URGENT);
    refused("cmdprio", URGENT);
    refused("cmdprio_hint", URGENT);
    refused("cmdprio_bssplit", URGENT);
    refused("thp", "only with `mmap`");
    refused("readfua", SG).unless(&["0"]);
    refused("writefua", SG).unless(&["0"]);
    refused("sg_write_mode", SG);
    refused("stream_id", SG);
};
