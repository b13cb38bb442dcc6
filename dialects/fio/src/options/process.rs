//! Jobs, their clones, and the processes that fio makes of them.

use crate::option::{At, FioOption, set};
use crate::settings::Settings;
use crate::source::Wrong;
use crate::values::{Base, choice, yes};
use crate::write::{OfRun, Pen, Turn};
use fathom_core::rows;
use fathom_core::spec::IoClass;
use fathom_core::{ErrorNumbers, Tolerated};
use fathom_tools::translation::{Affinity, Standing};

const PINNED: &str = "threads of all jobs are pinned to the processors named, in turn";
const GROUP: &str = "run Fathom in that control group";

const CPU: &str = "not supported by Fathom; run a CPU load in parallel";
const EXEC: &str = "not supported by Fathom; run the program in parallel, for example from a \
                    script";
const SHELL: &str = "not supported by Fathom; run the command before or after `fathom fio`";

pub(super) static OPTIONS: &[FioOption] = rows! { FioOption;
    refused("cpuload", CPU);
    refused("cpuchunks", CPU);
    refused("cpumode", CPU);
    refused("exit_on_io_done", CPU).unless(&["0"]);
    refused("program", EXEC);
    refused("arguments", EXEC);
    refused("grace_time", EXEC);
    refused("std_redirect", EXEC);
    kept("name", set!(to, word => to.name = Some(word.text().to_owned())));
    kept("description", set!(to, word => to.description = Some(word.text().to_owned())));
    kept("numjobs", set!(to, word => to.clones = to.number(word, 1, 4096)?))
        .remark("clones that report together on the same files become threads of one job and share \
             its passes and its amount; others become jobs of their own")
        .of_job(At::Clones(1), |of, pen| {
            let clones = of.clones.count;
            pen.put_some((clones > 1).then_some(clones));
        });
    kept("stonewall", set!(to, word => to.stonewall = yes(word)?)).alias(&["wait_for_previous"])
        .flag().of_turn(At::Turn(1), |turn, pen| pen.flag_if(turn == Turn::After));
    near("wait_for",
        "for jobs of earlier groups; for the one that runs before, which is taken as `stonewall`; \
         and for jobs that end by time, whose end is known beforehand",
        set!(to, word => to.wait_for = Some(word.text().to_owned())));
    kept("new_group", set!(to, word => to.new_group = yes(word)?)).flag()
        .of_turn(At::Turn(0), |turn, pen| pen.flag_if(turn == Turn::Beside));
    kept("group_reporting", set!(to, word => to.group_reporting = yes(word)?)).flag()
        .of_run(At::Run(0), |_, pen| pen.flag_if(true));
    kept("exitall", set!(to, word => to.exit_all = yes(word)?)).flag()
        .remark("those that run at once, whatever their reports are grouped by")
        .of_job(At::Time(10), |of, pen| pen.flag_if(of.job.stop.ends_phase));
    near("exit_what", "`all` ends what runs at once, and what comes after it begins",
        |_, word| choice(word, &[("group", ()), ("stonewall", ()), ("all", ())]))
        .unless(&["group", "stonewall"]);
    ignored("exitall_on_error", "an error ends all jobs unless errors are allowed").flag();
    kept("continue_on_error", Settings::goes_on)
        .remark("for all jobs, if for any; such errors are reported and counted, and do not make \
             the job fail").of_run(At::Run(3), write_goes_on);
    kept("ignore_error", Settings::ignored_errors)
        .remark("for all jobs, if for any; such errors are still counted")
        .of_run(At::Run(9), |run, pen| {
            let Tolerated {
                reads,
                writes,
                checks,
            } = &run.wishes.tolerated;
            let lists = [reads, writes, checks].map(numbers);
            let some = run.wishes.stop_on_error && lists.iter().any(|list| !list.is_empty());
            pen.put_some(some.then(|| lists.join(",")));
        });
    ignored("error_dump", "errors are listed in the report");
    ignored("thread", "jobs are always threads").flag()
        .also(set!(to, word => to.threads = yes(word)?));
    near("cpus_allowed", PINNED, Settings::processors)
        .of_run(At::Run(7), |run, pen| {
            if let Affinity::List(list) = &run.wishes.affinity {
                let list: Vec<String> = list.iter().map(u32::to_string).collect();
                pen.put(list.join(","));
            }
        });
    near("cpumask", PINNED, Settings::mask);
    ignored("cpus_allowed_policy", "each thread has one processor, as with `split`")
        .of_run(At::Run(8), |run, pen| {
            let is_list = matches!(run.wishes.affinity, Affinity::List(_));
            pen.put_some(is_list.then_some("split"));
        });
    near("numa_cpu_nodes",
        "threads of all jobs are pinned to the processors of the nodes named, in turn",
        Settings::nodes);
    ignored("numa_mem_policy", "memory is where its thread runs").unless(&["default", "local"]);
    refused("nice", "not supported by Fathom; start `fathom` with `nice`").unless(&["0"]);
    kept("prio", set!(to, word => to.io_level = Some(to.number(word, 0, 7)? as u32)))
        .remark("without `prioclass` by best effort")
        .of_job(At::Pace(13), |of, pen| {
            let has_levels = of.job.io_class.filter(|class| *class != IoClass::Idle);
            pen.put_some(has_levels.map(|_| of.job.io_level.unwrap_or(4)));
        }).says(&["io_level"]);
    kept("prioclass", |to, word| {
        let classes = [
            None,
            Some(IoClass::RealTime),
            Some(IoClass::BestEffort),
            Some(IoClass::Idle),
        ];
        to.io_class = classes[to.number(word, 0, 3)? as usize];
        Ok(())
    }).remark("without `prio` its most urgent level, as with fio")
        .of_job(At::Pace(14), |of, pen| {
            pen.put_some(of.job.io_class.map(|class| match class {
                IoClass::RealTime => 1,
                IoClass::BestEffort => 2,
                IoClass::Idle => 3,
            }));
        }).says(&["io_class"]);
    refused("uid", "run Fathom as that user");
    refused("gid", "run Fathom as that group");
    refused("cgroup", GROUP);
    refused("cgroup_weight", GROUP);
    ignored("cgroup_nodelete", "only with `cgroup`");
    refused("exec_prerun", SHELL);
    refused("exec_postrun", SHELL);
    refused("ioscheduler",
        "not supported by Fathom; write the name to /sys/block/DEVICE/queue/scheduler before the \
         run");
    refused("profile", "profiles of fio are programs of their own; see `fathom profiles`");
    kept("kb_base", |to, word| {
        to.base = match word.text().trim() {
            "1024" => Base::Binary,
            "1000" => Base::Decimal,
            other => {
                let message = format!("`{other}` is not a base");
                return Err(Wrong::new(message, "1024 or 1000"));
            }
        };
        to.wanted.units.decimal = to.base == Base::Decimal;
        Ok(())
    }).remark("for the values that follow it, and for printed values");
};

/// The kinds of errors with which the run goes on.
fn write_goes_on(run: &OfRun<'_>, pen: &mut Pen<'_>) {
    let Tolerated {
        reads,
        writes,
        checks,
    } = &run.wishes.tolerated;
    let kinds = [reads, writes, checks].map(|errors| *errors == ErrorNumbers::All);
    let word = match (run.wishes.stop_on_error, kinds) {
        (false, _) | (_, [true, true, true]) => "all",
        (_, [false, false, false]) => return,
        (_, [true, true, false]) => "io",
        (_, [true, false, false]) => "read",
        (_, [false, true, false]) => "write",
        (_, [false, false, true]) => "verify",
        (_, [true, false, true] | [false, true, true]) => {
            let message = "fio goes on with errors of checks and of one direction only if it \
                           does with all";
            pen.lose(Standing::Approximated, "stop_on_error", message);
            "all"
        }
    };
    pen.put(word);
}

fn numbers(errors: &ErrorNumbers) -> String {
    match errors {
        ErrorNumbers::All => String::new(),
        ErrorNumbers::These(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
            numbers.join(":")
        }
    }
}
