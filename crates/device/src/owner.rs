//! Whether the process that made something is still there.
//!
//! A number alone would be taken again by another process, so the instant at which it began and the
//! boot of the machine are part of the identity; so is the name space that the number counts in,
//! for what goes on in another container cannot be seen from here.

use std::fmt;

/// A process, for as long as the machine's memory of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessMark {
    boot: String,
    space: String,
    pid: String,
    began: String,
}

impl ProcessMark {
    /// This process.
    pub fn own() -> Self {
        Self::of(std::process::id())
    }

    /// A process of this name space, by its number.
    pub fn of(pid: u32) -> Self {
        let pid = pid.to_string();
        Self {
            boot: boot(),
            space: space(),
            began: began(&pid).unwrap_or_default(),
            pid,
        }
    }

    /// What was written down; none when it cannot be read.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ').map(str::to_owned);
        let mut word = || words.next();
        Some(Self {
            boot: word()?,
            space: word()?,
            pid: word()?,
            began: word()?,
        })
    }

    /// Whether it has certainly ended.
    pub fn is_gone(&self) -> bool {
        let boot = boot();
        // Without /proc nothing is certain.
        !boot.is_empty() && self.is_gone_by(&boot, &space(), began)
    }

    /// Whether the process began after this machine's last start.
    pub fn is_of_this_boot(&self) -> bool {
        self.boot == boot()
    }

    /// Whether the process was one of this machine and is gone.
    pub fn died_here(&self) -> bool {
        self.is_of_this_boot() && self.is_gone()
    }

    fn is_gone_by(&self, boot: &str, space: &str, began: impl Fn(&str) -> Option<String>) -> bool {
        if self.boot != boot {
            return true;
        }
        self.space == space && began(&self.pid).as_ref() != Some(&self.began)
    }
}

impl fmt::Display for ProcessMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {} {}",
            self.boot, self.space, self.pid, self.began
        )
    }
}

/// The number of the machine's boot; empty where the kernel does not say it.
pub fn boot() -> String {
    let id = crate::input::read_text("/proc/sys/kernel/random/boot_id");
    id.unwrap_or_default().trim().to_owned()
}

fn space() -> String {
    let link = std::fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    link.to_string_lossy().into_owned()
}

/// When a process began, in ticks since the boot; none when there is no such process.
fn began(pid: &str) -> Option<String> {
    let stat = crate::input::read_text(format!("/proc/{pid}/stat")).ok()?;
    ticks(&stat)
}

/// The 22nd field. The second, the name in brackets, may itself hold blanks and brackets. A process
/// that has ended and only waits to be noticed counts as gone.
fn ticks(stat: &str) -> Option<String> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "7 (a b) c) S 1 7 7 0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 8812 1024 5 0";

    #[test]
    fn a_process_is_told_by_when_it_began() {
        assert_eq!(ticks(STAT).as_deref(), Some("8812"));
        assert_eq!(ticks(&STAT.replace(" S ", " Z ")), None);
        assert_eq!(ticks("7"), None);
    }

    #[test]
    fn only_a_process_that_can_be_seen_is_judged() {
        let mark = ProcessMark::parse("b1 pid:[4] 7 8812").unwrap();
        let same = |_: &str| Some("8812".to_owned());
        let cases = [
            (mark.is_gone_by("b1", "pid:[4]", same), false),
            (mark.is_gone_by("b2", "pid:[4]", same), true),
            (mark.is_gone_by("b1", "pid:[4]", |_| None), true),
            (
                mark.is_gone_by("b1", "pid:[4]", |_| Some("9000".to_owned())),
                true,
            ),
            (mark.is_gone_by("b1", "pid:[5]", |_| None), false),
        ];
        for (index, (found, expected)) in cases.into_iter().enumerate() {
            assert_eq!(found, expected, "{index}");
        }
    }

    #[test]
    fn this_process_is_there() {
        let own = ProcessMark::own();
        assert!(!own.is_gone());
        assert_eq!(ProcessMark::parse(&own.to_string()), Some(own));
        assert_eq!(ProcessMark::parse("7"), None);
    }
}
