//! The acknowledgement log: a line for the plan, one per acknowledgement, one for the end.
//!
//! Each line carries the run and a sum of its own, so that it is known again among whatever else is
//! said on a serial console:
//!
//! ```text
//! fd1 00c0ffee00c0ffee plan {"plan":{…},"target":"/dev/sdb",…} 5d2c09aa
//! fd1 00c0ffee00c0ffee ack 17 1234 9c0d12ab
//! fd1 00c0ffee00c0ffee end 4021 5678 time 77ab01c4
//! ```

use crate::plan::{Plan, PlanError};
use serde::{Deserialize, Serialize};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

const MARK: &str = "fd1 ";

/// The plan, logged before the first write.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Which write comes when.
    pub plan: Plan,
    /// The target as it was named.
    pub target: String,
    /// Where the files are, below the target, if that is a directory.
    pub folder: Option<String>,
    /// The boot of the machine that wrote.
    pub boot: Option<String>,
    /// When it began, UTC.
    pub began: String,
    /// Whether writes passed by the page cache.
    pub direct: bool,
}

/// Why a writer ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// Its time was over.
    Time,
    /// It was interrupted.
    Interrupted,
    /// A write failed.
    Failed,
}

impl End {
    const ALL: [Self; 3] = [Self::Time, Self::Interrupted, Self::Failed];

    const fn word(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Interrupted => "interrupted",
            Self::Failed => "failed",
        }
    }
}

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogLine {
    /// A run begins.
    Plan(Header),
    /// A step was acknowledged.
    Ack {
        /// The number of the run.
        run: u64,
        /// The number of the step.
        sequence: u64,
        /// Since the start of the run.
        time_ms: u64,
    },
    /// The run ended by itself.
    End {
        /// The number of the run.
        run: u64,
        /// The last step that was acknowledged.
        sequence: u64,
        /// Since the start of the run.
        time_ms: u64,
        /// Why.
        end: End,
    },
}

impl fmt::Display for LogLine {
    /// Without the end of the line.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = match self {
            Self::Plan(header) => {
                let json = serde_json::to_string(header).map_err(|_| fmt::Error)?;
                format!("{MARK}{:016x} plan {json}", header.plan.run)
            }
            Self::Ack {
                run,
                sequence,
                time_ms,
            } => format!("{MARK}{run:016x} ack {sequence} {time_ms}"),
            Self::End {
                run,
                sequence,
                time_ms,
                end,
            } => format!("{MARK}{run:016x} end {sequence} {time_ms} {}", end.word()),
        };
        write!(to, "{body} {:08x}", sum(&body))
    }
}

impl LogLine {
    /// The line in a text, whatever stands before it; none if it is another or damaged.
    pub fn read(text: &str) -> Option<Self> {
        let start = text.find(MARK)?;
        let (body, told) = text[start..].trim_end().rsplit_once(' ')?;
        if u32::from_str_radix(told, 16).ok()? != sum(body) {
            return None;
        }
        let mut words = body[MARK.len()..].splitn(3, ' ');
        let run = u64::from_str_radix(words.next()?, 16).ok()?;
        let (kind, rest) = (words.next()?, words.next()?);
        let mut words = rest.split(' ');
        let mut number = || words.next()?.parse().ok();
        match kind {
            "plan" => serde_json::from_str(rest).ok().map(Self::Plan),
            "ack" => Some(Self::Ack {
                run,
                sequence: number()?,
                time_ms: number()?,
            }),
            "end" => Some(Self::End {
                run,
                sequence: number()?,
                time_ms: number()?,
                end: {
                    let word = words.next()?;
                    End::ALL.into_iter().find(|end| end.word() == word)?
                },
            }),
            _ => None,
        }
    }
}

fn sum(body: &str) -> u32 {
    (xxh3_64(body.as_bytes()) >> 32) as u32
}

/// The complete acknowledgement log of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    /// The plan, logged before the first write.
    pub header: Header,
    /// The last step that was acknowledged; all before it were too. 0 without any.
    pub acknowledged: u64,
    /// When the plan was logged, since the start of the run.
    pub last_ms: u64,
    /// Whether the writer ended by itself, and why.
    pub end: Option<End>,
}

/// Why a log says nothing.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogError {
    /// No complete line has the start of a run.
    #[error("no run begins in it")]
    NoRun,
    /// The plan cannot be carried out.
    #[error("its plan cannot be: {0}")]
    Plan(#[from] PlanError),
}

impl Log {
    /// The last run of a log. A line that is damaged, or none of ours, is passed over: what was
    /// acknowledged later says what was before.
    ///
    /// # Errors
    ///
    /// [`LogError`]
    pub fn read(text: &str) -> Result<Self, LogError> {
        let mut last: Option<Self> = None;
        for line in text.lines().filter_map(LogLine::read) {
            match line {
                LogLine::Plan(header) => {
                    last = Some(Self {
                        header,
                        acknowledged: 0,
                        last_ms: 0,
                        end: None,
                    });
                }
                LogLine::Ack {
                    run,
                    sequence,
                    time_ms,
                } => {
                    if let Some(log) = last.as_mut().filter(|log| log.header.plan.run == run) {
                        log.reach(sequence, time_ms);
                    }
                }
                LogLine::End {
                    run,
                    sequence,
                    time_ms,
                    end,
                } => {
                    if let Some(log) = last.as_mut().filter(|log| log.header.plan.run == run) {
                        log.reach(sequence, time_ms);
                        log.end = Some(end);
                    }
                }
            }
        }
        let log = last.ok_or(LogError::NoRun)?;
        log.header.plan.check()?;
        Ok(log)
    }

    fn reach(&mut self, sequence: u64, time_ms: u64) {
        self.acknowledged = self.acknowledged.max(sequence);
        self.last_ms = self.last_ms.max(time_ms);
    }

    /// The last step that was handed to the storage: the one after the last that was acknowledged,
    /// unless the writer ended by itself without it.
    pub fn issued(&self) -> u64 {
        match self.end {
            Some(End::Time | End::Interrupted) => self.acknowledged,
            Some(End::Failed) | None => self.acknowledged.saturating_add(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promise::Promise;

    fn header(run: u64) -> Header {
        Header {
            plan: Plan {
                run,
                promises: vec![Promise::Flush],
                block_bytes: 4096,
                blocks: 16,
                flush_every: 4,
                base_bytes: 0,
            },
            target: "/a path/disk".to_owned(),
            folder: None,
            boot: Some("b".to_owned()),
            began: "2026-11-23T02:00:00.000Z".to_owned(),
            direct: true,
        }
    }

    fn ack(run: u64, sequence: u64) -> LogLine {
        LogLine::Ack {
            run,
            sequence,
            time_ms: sequence * 10,
        }
    }

    fn end(run: u64, sequence: u64, end: End) -> LogLine {
        LogLine::End {
            run,
            sequence,
            time_ms: sequence * 10,
            end,
        }
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        assert_eq!(
            ack(0x00c0_ffee, 17).to_string(),
            "fd1 0000000000c0ffee ack 17 170 1455002d"
        );
        for line in [
            LogLine::Plan(header(1)),
            ack(u64::MAX, 3),
            end(1, 4, End::Failed),
        ] {
            let text = line.to_string();
            assert_eq!(LogLine::read(&text), Some(line.clone()));
            assert_eq!(LogLine::read(&format!("[  1.5] noise{text}\r")), Some(line));
            assert_eq!(LogLine::read(&text[..text.len() - 1]), None);
            assert_eq!(LogLine::read(&text.replace("fd1 ", "fd1 1")), None);
        }
        assert_eq!(LogLine::read("fd1"), None);
        assert_eq!(LogLine::read(""), None);
    }

    #[test]
    fn the_last_run_counts_and_damaged_lines_do_not() {
        let lines = [
            LogLine::Plan(header(1)).to_string(),
            ack(1, 500).to_string(),
            LogLine::Plan(header(2)).to_string(),
            ack(2, 1).to_string(),
            "fd1 0000000000000002 ack 9 90 00000000".to_owned(),
            ack(1, 600).to_string(),
            ack(2, 3).to_string(),
            "fd1 00000000000".to_owned(),
        ];
        let log = Log::read(&lines.join("\n")).unwrap();
        assert_eq!(log.header, header(2));
        assert_eq!((log.acknowledged, log.last_ms, log.end), (3, 30, None));
        assert_eq!(log.issued(), 4);
        assert_eq!(Log::read(&lines[1]), Err(LogError::NoRun));
    }

    #[test]
    fn an_end_says_whether_a_write_was_under_way() {
        for (why, issued) in [(End::Time, 7), (End::Interrupted, 7), (End::Failed, 8)] {
            let text = format!("{}\n{}\n", LogLine::Plan(header(2)), end(2, 7, why));
            let log = Log::read(&text).unwrap();
            assert_eq!(
                (log.acknowledged, log.end, log.issued()),
                (7, Some(why), issued)
            );
        }
    }

    #[test]
    fn a_plan_that_cannot_be_is_refused() {
        let mut bad = header(1);
        bad.plan.blocks = 0;
        let error = Log::read(&LogLine::Plan(bad).to_string());
        assert_eq!(error, Err(LogError::Plan(PlanError::NoRoom)));
    }
}
