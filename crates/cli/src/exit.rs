//! How the process ends: the numbers that scripts may rely on.

use crate::paragraph::hanging;
use fathom_tools::Statuses;
use std::process::ExitCode;

/// Where the meanings begin in the table.
const COLUMN: usize = 7;

/// An exit status. The order is that of importance: of several runs the most important counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    Ok,
    Undecided,
    NotComparable,
    Doubtful,
    LimitMissed,
    Unfit,
    Unsaved,
    IoErrors,
    Environment,
    Usage,
    Defect,
    Interrupted,
}

impl Exit {
    /// All of them, by number.
    pub(crate) const ALL: [Self; 12] = [
        Self::Ok,
        Self::LimitMissed,
        Self::Usage,
        Self::IoErrors,
        Self::Environment,
        Self::Undecided,
        Self::NotComparable,
        Self::Doubtful,
        Self::Unfit,
        Self::Unsaved,
        Self::Defect,
        Self::Interrupted,
    ];

    pub(crate) const fn number(self) -> u8 {
        match self {
            Self::Ok => 0,
            Self::LimitMissed => 1,
            Self::Usage => 2,
            Self::IoErrors => 3,
            Self::Environment => 4,
            Self::Undecided => 5,
            Self::NotComparable => 6,
            Self::Doubtful => 7,
            Self::Unfit => 8,
            Self::Unsaved => 9,
            Self::Defect => 101,
            Self::Interrupted => 130,
        }
    }

    /// The number by which another program says the same, in whose words the command was given.
    pub(crate) fn number_of(self, statuses: Option<Statuses>) -> u8 {
        match (self, statuses) {
            (Self::Usage, Some(statuses)) => statuses.words,
            (Self::Environment | Self::IoErrors, Some(statuses)) => statuses.run,
            // The other program has no history, and its callers have their result.
            (Self::Unsaved, Some(_)) => Self::Ok.number(),
            _ => self.number(),
        }
    }

    /// What it means, for `--help` and the manual page.
    pub(crate) const fn meaning(self) -> &'static str {
        match self {
            Self::Ok => "success",
            Self::LimitMissed => {
                "a limit was missed: --require, a --gate, a load that did not become steady, or \
                 storage that fell behind or slowed down; `throttled` found what limits the \
                 storage; a test of `selftest` failed; `fit` found no target that fits"
            }
            Self::Usage => "invalid command line or workload",
            Self::IoErrors => "the run finished, but I/O errors occurred or a block was wrong",
            Self::Environment => {
                "the system refused: missing permission, file or device, full disk, or protected \
                 target"
            }
            Self::Undecided => {
                "undecided: a regression is neither shown nor excluded, a compared run is SUSPECT \
                 or INVALID, or there is too little data for a limit or promise"
            }
            Self::NotComparable => "not comparable: the setups of the runs differ",
            Self::Doubtful => {
                "warnings: `check` found problems, the state is worse than --require, or members \
                 were lost"
            }
            Self::Unfit => "`check` found the path unfit, or --require met an INVALID result",
            Self::Unsaved => {
                "the run could not be saved in the history; a message on standard error names the \
                 file with its result"
            }
            Self::Defect => "internal error of fathom",
            Self::Interrupted => "interrupted by a signal; the first signal still prints a report",
        }
    }

    /// The table at the end of `--help`.
    pub(crate) fn table() -> String {
        let row = |exit: Self| hanging(&format!("{:>3}", exit.number()), COLUMN, exit.meaning());
        let rows = Self::ALL.map(row).concat();
        format!("Exit status:\n{rows}{}", Self::precedence())
    }

    /// Which number is returned where several apply.
    pub(crate) fn precedence() -> String {
        let order = Self::order();
        format!("Of several, the first of these is returned: {order}.")
    }

    /// The numbers but that of success, the most severe first.
    fn order() -> String {
        let mut all = Self::ALL;
        all.sort();
        let numbers = all[1..].iter().rev().map(|exit| exit.number().to_string());
        numbers.collect::<Vec<_>>().join(", ")
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.number().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_by_number() {
        let numbers = Exit::ALL.map(Exit::number);
        assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 101, 130]);
    }

    /// A number is as good as its measurement: an INVALID result decides, a warning does not.
    #[test]
    fn the_most_severe_of_any_two_is_the_one_that_the_help_names_first() {
        let expected = "130, 101, 2, 4, 3, 9, 8, 1, 7, 6, 5";
        assert_eq!(Exit::order(), expected);
        let rank = |exit: Exit| {
            let number = exit.number().to_string();
            let place = expected.split(", ").position(|one| one == number);
            place.unwrap_or(usize::MAX)
        };
        for one in Exit::ALL {
            for other in Exit::ALL {
                let first = if rank(one) <= rank(other) { one } else { other };
                assert_eq!(one.max(other), first, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn another_program_has_numbers_of_its_own_for_what_it_knows() {
        let statuses = Statuses { words: 33, run: 11 };
        let numbers = Exit::ALL.map(|exit| exit.number_of(Some(statuses)));
        assert_eq!(numbers, [0, 1, 33, 11, 11, 5, 6, 7, 8, 0, 101, 130]);
        let own = Exit::ALL.map(|exit| exit.number_of(None));
        assert_eq!(own, Exit::ALL.map(Exit::number));
    }
}
