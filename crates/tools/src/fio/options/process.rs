//! Jobs, their clones, and the processes that fio makes of them.

use crate::fio::option::FioOption;
use crate::fio::settings::Settings;
use crate::fio::source::Wrong;
use crate::fio::values::{Base, yes};

const PINNED: &str = "threads of all jobs are pinned to the processors named, in turn";
const COMMANDS: &str = "commands of a job file are not run";
const GROUP: &str = "run Fathom in that control group";
const IONICE: &str = "run Fathom with ionice";

pub(super) static OPTIONS: &[FioOption] = &[
    FioOption::kept("name", |to, word| {
        to.name = Some(word.text().to_owned());
        Ok(())
    }),
    FioOption::kept("description", |to, word| {
        to.description = Some(word.text().to_owned());
        Ok(())
    }),
    FioOption::kept("numjobs", |to, word| {
        to.clones = to.number(word, 1, 4096)?;
        Ok(())
    })
    .remark(
        "clones that report together on the same files become threads of one job and share its \
         passes and its amount, others become jobs of their own",
    ),
    FioOption::kept("stonewall", |to, word| {
        to.stonewall = yes(word)?;
        Ok(())
    })
    .alias(&["wait_for_previous"])
    .flag(),
    FioOption::near(
        "wait_for",
        "only for the one job that runs before; it is taken as `stonewall`",
        |to, word| {
            to.wait_for = Some(word.text().to_owned());
            Ok(())
        },
    ),
    FioOption::kept("new_group", |to, word| {
        to.new_group = yes(word)?;
        Ok(())
    })
    .flag(),
    FioOption::kept("group_reporting", |to, word| {
        to.group_reporting = yes(word)?;
        Ok(())
    })
    .flag(),
    FioOption::near(
        "exitall",
        "jobs that run at once and end by time end together anyway; it is refused where they end \
         by amount",
        |to, word| {
            to.exit_all = yes(word)?;
            Ok(())
        },
    )
    .flag()
    .unless(&["0"]),
    FioOption::ignored("exit_what", "only with `exitall`"),
    FioOption::ignored(
        "exitall_on_error",
        "an error ends all jobs unless errors are allowed",
    )
    .flag(),
    FioOption::kept("continue_on_error", |to, word| {
        to.continues_on_error = !matches!(word.text(), "none" | "0");
        Ok(())
    })
    .remark("for all kinds of errors and all jobs, if for any"),
    FioOption::refused("ignore_error", "errors are counted, whatever they are"),
    FioOption::ignored("error_dump", "errors are listed in the report"),
    FioOption::ignored("thread", "jobs are always threads").flag(),
    FioOption::near("cpus_allowed", PINNED, Settings::processors),
    FioOption::near("cpumask", PINNED, Settings::mask),
    FioOption::ignored(
        "cpus_allowed_policy",
        "each thread has one processor, as with `split`",
    ),
    FioOption::refused(
        "numa_cpu_nodes",
        "threads are pinned by processor: use cpus_allowed",
    ),
    FioOption::refused("numa_mem_policy", "memory is where its thread runs"),
    FioOption::refused("nice", "run Fathom with nice").unless(&["0"]),
    FioOption::refused("prio", IONICE),
    FioOption::refused("prioclass", IONICE),
    FioOption::refused("uid", "run Fathom as that user"),
    FioOption::refused("gid", "run Fathom as that group"),
    FioOption::refused("cgroup", GROUP),
    FioOption::refused("cgroup_weight", GROUP),
    FioOption::ignored("cgroup_nodelete", "only with `cgroup`"),
    FioOption::refused("exec_prerun", COMMANDS),
    FioOption::refused("exec_postrun", COMMANDS),
    FioOption::refused("ioscheduler", "the scheduler of a device is not changed"),
    FioOption::refused(
        "profile",
        "profiles of fio are programs of their own; see `fathom profiles`",
    ),
    FioOption::kept("kb_base", |to, word| {
        to.base = match word.text().trim() {
            "1024" => Base::Binary,
            "1000" => Base::Decimal,
            other => {
                let message = format!("`{other}` is not a base");
                return Err(Wrong::new(message, "1024 or 1000"));
            }
        };
        Ok(())
    })
    .remark("for the values that follow it"),
];
