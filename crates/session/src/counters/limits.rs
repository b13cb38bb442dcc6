//! Limits of block I/O that the control group sets, over a phase: one that is lifted or set in the
//! middle of a run leaves its trace.

use fathom_core::Nanos;
use fathom_core::result::LimitSpan;
use fathom_device::{Cgroup, Sysfs};

/// Time between two looks at least: a look reads up to six files of some bytes.
const LOOK: Nanos = Nanos::from_millis(100);

/// The limits that are set for the devices of a stack, with the names of the devices.
pub(crate) fn limits_of(
    group: &Cgroup,
    sysfs: &Sysfs,
    is_below: impl Fn(&str) -> bool,
) -> Vec<String> {
    let limits = group.io_limits().into_iter().filter_map(|limit| {
        let name = sysfs.block_name(limit.dev).ok()?;
        let line = || format!("{} {name} {}", limit.file, limit.value);
        is_below(&name).then(line)
    });
    limits.collect()
}

/// Reads the limits over and over.
#[derive(Debug)]
pub(crate) struct LimitWatch {
    group: Option<Cgroup>,
    sysfs: Sysfs,
    /// Names of the devices below the targets.
    stack: Vec<String>,
    /// What was set for them at the start of the run.
    before: Vec<String>,
    origin: Nanos,
    looked: Option<Nanos>,
    spans: Vec<LimitSpan>,
}

impl LimitWatch {
    /// For devices of these names; `before` is what was set at the start of the run.
    pub(crate) fn new(stack: Vec<String>, before: &[String]) -> Self {
        let mut watch = Self::of(Cgroup::own().ok(), Sysfs::default(), stack);
        let device = |line: &str| line.split(' ').nth(1).unwrap_or_default().to_owned();
        let ours = before
            .iter()
            .filter(|line| watch.stack.contains(&device(line)));
        watch.before = ours.cloned().collect();
        watch
    }

    const fn of(group: Option<Cgroup>, sysfs: Sysfs, stack: Vec<String>) -> Self {
        Self {
            group,
            sysfs,
            stack,
            before: Vec::new(),
            origin: Nanos::ZERO,
            looked: None,
            spans: Vec::new(),
        }
    }

    /// The phase begins.
    pub(crate) fn begin(&mut self, start: Nanos) {
        self.origin = start;
        self.read(start);
    }

    /// Reads them again if it is time.
    pub(crate) fn look(&mut self, now: Nanos) {
        let is_due = |looked: Nanos| now.saturating_sub(looked) >= LOOK;
        if self.looked.is_some_and(is_due) {
            self.read(now);
        }
    }

    /// What was set in turn, if it changed since the start of the run.
    pub(crate) fn finish(mut self, now: Nanos) -> Vec<LimitSpan> {
        self.read(now);
        let is_changed = |span: &LimitSpan| span.limits != self.before;
        if self.spans.iter().any(is_changed) {
            self.spans
        } else {
            Vec::new()
        }
    }

    fn read(&mut self, now: Nanos) {
        self.looked = Some(now);
        let Some(group) = &self.group else { return };
        let is_below = |name: &str| self.stack.iter().any(|one| one == name);
        let limits = limits_of(group, &self.sysfs, is_below);
        if self.spans.last().is_none_or(|last| last.limits != limits) {
            self.spans.push(LimitSpan {
                start_ns: now.saturating_sub(self.origin).0,
                limits,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_limit_that_comes_and_goes_is_seen() {
        let tree = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(tree.path()).unwrap();
        let group = root.join("blkio/x");
        let block = root.join("devices/loop7");
        fs::create_dir_all(&group).unwrap();
        fs::create_dir_all(&block).unwrap();
        fs::create_dir_all(root.join("dev/block")).unwrap();
        fathom_platform::unix::fs::symlink(&block, root.join("dev/block/7:7")).unwrap();
        let file = group.join("blkio.throttle.read_iops_device");
        fs::write(&file, "7:7 500\n").unwrap();
        let watch = || {
            let group = Cgroup::of("7:blkio:/x\n", &root);
            LimitWatch::of(
                Some(group),
                Sysfs::at(root.clone()),
                vec!["loop7".to_owned()],
            )
        };
        let limited = vec!["blkio.throttle.read_iops_device loop7 500".to_owned()];
        let (mut steady, mut watched, mut late) = (watch(), watch(), watch());
        steady.before = limited.clone();
        watched.before = limited.clone();
        let second = Nanos::from_secs(1);
        late.begin(second);
        steady.begin(second);
        watched.begin(second);
        assert_eq!(steady.finish(second + second), []);
        let span = |start_ns, limits: &[String]| LimitSpan {
            start_ns,
            limits: limits.to_vec(),
        };
        // It was set after the start of the run, and before the phase.
        assert_eq!(late.finish(second + second), [span(0, &limited)]);
        fs::write(&file, "").unwrap();
        watched.look(second + Nanos::from_millis(99));
        watched.look(second + Nanos::from_millis(250));
        fs::write(&file, "7:7 500\n").unwrap();
        assert_eq!(
            watched.finish(second + second),
            [
                span(0, &limited),
                span(250_000_000, &[]),
                span(1_000_000_000, &limited)
            ]
        );
    }
}
