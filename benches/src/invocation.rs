//! The exact command of one side of a case.

use std::path::Path;

use crate::cases::{Case, Metric, Tool};

/// The CPU that pinned cases run on; the first one is left to everything else.
pub(crate) const PINNED_CPU: usize = 1;

/// What all runs of a case share.
#[derive(Debug, Clone)]
pub(crate) struct Setting {
    /// The fixture's path, or a word for it when only printing.
    pub(crate) target: String,
    pub(crate) seconds: u32,
    /// Whether the CPU for pinned cases is there.
    pub(crate) can_pin: bool,
}

/// One side of a case: a program and its arguments without the result file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Invocation {
    pub(crate) tool: Tool,
    args: Vec<String>,
}

impl Invocation {
    /// What Fathom is compared with.
    pub(crate) fn of_baseline(case: &Case, setting: &Setting) -> Self {
        Self::new(case, case.baseline, case.baseline_args, setting)
    }

    pub(crate) fn of_fathom(case: &Case, setting: &Setting) -> Self {
        Self::new(case, Tool::Fathom, case.fathom_args, setting)
    }

    fn new(case: &Case, tool: Tool, own_args: &str, setting: &Setting) -> Self {
        let pin = case.pinned && setting.can_pin;
        let timed = case.metric == Metric::Iops;
        let mut args = match tool {
            Tool::Fio => vec![format!("--name={}", case.name), "--bs=4k".to_owned()],
            Tool::Bare => Vec::new(),
            Tool::Fathom => vec!["run".to_owned()],
        };
        args.extend(
            own_args
                .split(' ')
                .map(|arg| arg.replace("{target}", &setting.target)),
        );
        match tool {
            Tool::Fio => {
                if timed {
                    args.push("--time_based".to_owned());
                    args.push(format!("--runtime={}", setting.seconds));
                }
                if pin {
                    args.push(format!("--cpus_allowed={PINNED_CPU}"));
                }
                args.push("--output-format=json".to_owned());
            }
            Tool::Bare => {
                args.extend(["--time".to_owned(), setting.seconds.to_string()]);
                if pin {
                    args.extend(["--cpu".to_owned(), PINNED_CPU.to_string()]);
                }
            }
            Tool::Fathom => {
                args.extend(["--block-size", "4KiB", "--warm-up", "0s"].map(str::to_owned));
                if timed {
                    args.extend(["--time".to_owned(), format!("{}s", setting.seconds)]);
                }
                if pin {
                    args.extend(["--affinity".to_owned(), PINNED_CPU.to_string()]);
                }
                args.push("--quiet".to_owned());
            }
        }
        Self { tool, args }
    }

    /// All arguments, with the tool's way to have its JSON result in `file`.
    pub(crate) fn args_with_result(&self, file: &Path) -> Vec<String> {
        let file = file.display();
        let mut args = self.args.clone();
        match self.tool {
            Tool::Fio | Tool::Bare => args.push(format!("--output={file}")),
            Tool::Fathom => args.extend(["--output".to_owned(), format!("json:{file}")]),
        }
        args
    }

    /// The command to repeat by hand.
    pub(crate) fn to_line(&self) -> String {
        let program = match self.tool {
            Tool::Fio => "fio",
            Tool::Bare => "fathom-bare",
            Tool::Fathom => "fathom",
        };
        let words = std::iter::once(program).chain(self.args.iter().map(String::as_str));
        words.map(quoted).collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell would need it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=/.,:+{}".contains(c);
    if word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{word}'")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::CASES;

    fn lines(name: &str, can_pin: bool) -> [String; 2] {
        let case = CASES.iter().find(|case| case.name == name).unwrap();
        let setting = Setting {
            target: "/mnt/a file".to_owned(),
            seconds: 3,
            can_pin,
        };
        [
            Invocation::of_baseline(case, &setting),
            Invocation::of_fathom(case, &setting),
        ]
        .map(|invocation| invocation.to_line())
    }

    #[test]
    fn a_timed_case_is_pinned_where_it_can_be() {
        assert_eq!(
            lines("cfile-qd32", true),
            [
                "fio --name=cfile-qd32 --bs=4k --ioengine=io_uring '--filename=/mnt/a file' \
                 --size=1G --rw=randread --direct=0 --invalidate=0 --fadvise_hint=0 --iodepth=32 \
                 --time_based --runtime=3 --cpus_allowed=1 --output-format=json",
                "fathom run random-read-4k --target '/mnt/a file' --engine io_uring --size 1GiB \
                 --no-direct --queue-depth 32 --threads 1 --block-size 4KiB --warm-up 0s \
                 --time 3s --affinity 1 --quiet",
            ]
        );
        assert_eq!(
            lines("null-qd32", false),
            [
                "fio --name=null-qd32 --bs=4k --ioengine=null --size=2G --rw=randread \
                 --iodepth=32 --time_based --runtime=3 --output-format=json",
                "fathom run random-read-4k --target null --engine null --size 2GiB \
                 --queue-depth 32 --threads 1 --block-size 4KiB --warm-up 0s --time 3s --quiet",
            ]
        );
    }

    #[test]
    fn a_start_up_run_has_no_time_and_two_threads_no_pin() {
        assert_eq!(
            lines("startup", true),
            [
                "fio --name=startup --bs=4k --ioengine=null --size=1M --rw=randread \
                 --number_ios=1 --output-format=json",
                "fathom run random-read-4k --target null --engine null --size 1MiB --ios 1 \
                 --queue-depth 1 --threads 1 --block-size 4KiB --warm-up 0s --quiet",
            ]
        );
        let [one, two] = lines("two-threads", true);
        assert_eq!(one.replace("--threads 1", "--threads 2"), two);
    }
}
