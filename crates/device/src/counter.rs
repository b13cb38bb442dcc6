//! What the kernel counts: where each number stands, in what unit, and what it means.
//!
//! A family of counters is one table, made with `counters!`: of its rows come the structure that
//! holds them, the reader, the difference of two readings, and the table in `docs/numbers.md`.

use std::convert::Infallible;
use std::fmt;
use std::path::Path;

use crate::sysfs;

/// Every sector of the kernel's statistics has 512 bytes, whatever the device says.
const SECTOR_BYTES: u64 = 512;

/// One number that the kernel keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The file that has it.
    pub file: &'static str,
    /// Where it stands there.
    pub position: Position,
    /// Its unit in the file.
    pub unit: Unit,
    /// Its name here, with the unit that it is converted to.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The position of a number in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// In a line, the word with this number; the first is 1.
    Column(usize),
    /// After this word: `key 7`, `key: 7` or `key=7`.
    After(&'static str),
    /// All of an attribute with this name below the folder.
    Attribute(&'static str),
}

/// What the kernel counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Things one by one, in an `unsigned long`.
    Number,
    /// An amount of bytes.
    Bytes,
    /// 512 bytes, in an `unsigned long`.
    Sectors,
    /// 1,024 bytes.
    Kibibytes,
    /// Pages of memory, held in bytes.
    Pages,
    /// Ticks of the kernel's clock, `CLK_TCK` a second.
    Ticks,
    /// Milliseconds, which every kernel prints in 32 bits: they begin anew after 49.7 days.
    Milliseconds,
    /// Microseconds, held in nanoseconds.
    Microseconds,
    /// A duration.
    Nanoseconds,
    /// 1,000 Hz.
    Kilohertz,
}

impl Unit {
    /// How many of the unit that the number is held in are one of these.
    fn factor(self) -> u64 {
        match self {
            Self::Sectors => SECTOR_BYTES,
            Self::Kibibytes => 1024,
            Self::Pages => fathom_platform::param::page_size() as u64,
            Self::Microseconds => 1000,
            Self::Number
            | Self::Bytes
            | Self::Ticks
            | Self::Milliseconds
            | Self::Nanoseconds
            | Self::Kilohertz => 1,
        }
    }

    /// Where such a number begins anew at zero, as it is held; none where it cannot in a lifetime.
    const fn modulus(self) -> Option<u64> {
        const IS_32_BIT: bool = usize::BITS == 32;
        match self {
            Self::Milliseconds => Some(1 << 32),
            Self::Number if IS_32_BIT => Some(1 << 32),
            Self::Sectors if IS_32_BIT => Some((1 << 32) * SECTOR_BYTES),
            _ => None,
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Number => "number",
            Self::Bytes => "bytes",
            Self::Sectors => "512 bytes",
            Self::Kibibytes => "KiB",
            Self::Pages => "pages",
            Self::Ticks => "clock ticks",
            Self::Milliseconds => "ms",
            Self::Microseconds => "µs",
            Self::Nanoseconds => "ns",
            Self::Kilohertz => "kHz",
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column(number) => write!(f, "column {number}"),
            Self::After(key) => write!(f, "`{key}`"),
            Self::Attribute(name) => write!(f, "`{name}`, all of it"),
        }
    }
}

impl Counter {
    /// The number in this column of a line whose first number is in column `first`.
    pub(crate) fn in_columns(&self, first: usize, numbers: &[u64]) -> Option<u64> {
        let Position::Column(number) = self.position else {
            return None;
        };
        let raw = numbers.get(number.checked_sub(first)?)?;
        Some(self.held(*raw))
    }

    /// The number after its word, in a text of one such pair a line.
    pub(crate) fn in_lines(&self, text: &str) -> Option<u64> {
        let pairs = text.lines().filter_map(|line| line.split_once([' ', ':']));
        self.in_pairs(pairs)
    }

    /// Likewise in a line of pairs as `key=7`.
    pub(crate) fn in_line(&self, line: &str) -> Option<u64> {
        let words = line.split_whitespace();
        self.in_pairs(words.filter_map(|word| word.split_once('=')))
    }

    fn in_pairs<'a>(&self, mut pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Option<u64> {
        let Position::After(key) = self.position else {
            return None;
        };
        let (_, value) = pairs.find(|(name, _)| *name == key)?;
        Some(self.held(value.trim().parse().ok()?))
    }

    /// The number in its file below `folder`.
    pub(crate) fn below(&self, folder: &Path) -> Option<u64> {
        let Position::Attribute(name) = self.position else {
            return None;
        };
        Some(self.held(sysfs::value(folder, name)?))
    }

    /// Whether it has a file below `folder`.
    pub(crate) fn is_below(&self, folder: &Path) -> bool {
        matches!(self.position, Position::Attribute(name) if folder.join(name).exists())
    }

    fn held(&self, raw: u64) -> u64 {
        raw.saturating_mul(self.unit.factor())
    }

    /// What was counted between two readings; none where the number went back and cannot have begun
    /// anew.
    pub(crate) fn passed(&self, then: u64, now: u64) -> Option<u64> {
        now.checked_sub(then).or_else(|| {
            let modulus = self.unit.modulus()?;
            (then < modulus).then(|| modulus - then + now)
        })
    }
}

/// A number of a structure of counters: there, or there on some kernels only.
pub(crate) trait Held: Copy {
    /// What was read; none where a number that must be there is missing.
    fn of(found: Option<u64>) -> Option<Self>;

    /// What `passed` says of two readings.
    fn difference<E>(
        self,
        then: Self,
        passed: impl FnOnce(u64, u64) -> Result<u64, E>,
    ) -> Result<Self, E>;
}

impl Held for u64 {
    fn of(found: Option<u64>) -> Option<Self> {
        found
    }

    fn difference<E>(
        self,
        then: Self,
        passed: impl FnOnce(u64, u64) -> Result<u64, E>,
    ) -> Result<Self, E> {
        passed(then, self)
    }
}

impl Held for Option<u64> {
    fn of(found: Option<u64>) -> Option<Self> {
        Some(found)
    }

    fn difference<E>(
        self,
        then: Self,
        passed: impl FnOnce(u64, u64) -> Result<u64, E>,
    ) -> Result<Self, E> {
        let both = then.zip(self);
        both.map(|(then, now)| passed(then, now)).transpose()
    }
}

/// A structure of counters, made of a table.
pub(crate) trait Family: Sized {
    /// All of them, each as `read` finds it; none where one that must be there is missing.
    fn reading(read: impl FnMut(&Counter) -> Option<u64>) -> Option<Self>;

    /// Each as `passed` makes it of the two readings, the earlier first.
    fn differences<E>(
        &self,
        earlier: &Self,
        passed: impl FnMut(&Counter, u64, u64) -> Result<u64, E>,
    ) -> Result<Self, E>;

    /// What was counted between the two readings; nothing where a number went back.
    fn passed_since(&self, earlier: &Self) -> Self {
        let passed = self.differences(earlier, |_, then, now| {
            Ok::<_, Infallible>(now.saturating_sub(then))
        });
        let Ok(passed) = passed;
        passed
    }
}

/// Makes a structure of counters from a table: `name: type = position, unit;` below what it means.
macro_rules! counters {
    (
        $(#[$of_all:meta])*
        $visible:vis struct $family:ident in $file:literal {
            $(
                $(#[doc = $meaning:literal])+
                $name:ident: $held:ty = $position:expr, $unit:ident;
            )+
        }
    ) => {
        $(#[$of_all])*
        $visible struct $family {
            $( $(#[doc = $meaning])+ $visible $name: $held, )+
        }

        impl $family {
            /// Where each stands.
            $visible const COUNTERS: &'static [$crate::counter::Counter] = &[
                $( $crate::counter::Counter {
                    file: $file,
                    position: $position,
                    unit: $crate::counter::Unit::$unit,
                    name: stringify!($name),
                    meaning: concat!($($meaning),+),
                }, )+
            ];
        }

        impl $crate::counter::Family for $family {
            fn reading(
                mut read: impl FnMut(&$crate::counter::Counter) -> Option<u64>,
            ) -> Option<Self> {
                let mut counters = Self::COUNTERS.iter();
                $( let $name = $crate::counter::Held::of(counters.next().and_then(&mut read))?; )+
                Some(Self { $($name),+ })
            }

            fn differences<E>(
                &self,
                earlier: &Self,
                mut passed: impl FnMut(&$crate::counter::Counter, u64, u64) -> Result<u64, E>,
            ) -> Result<Self, E> {
                let mut counters = Self::COUNTERS.iter();
                Ok(Self {
                    $( $name: {
                        let counter = counters.next().expect("one for each field");
                        let passed = |then, now| passed(counter, then, now);
                        $crate::counter::Held::difference(self.$name, earlier.$name, passed)?
                    }, )+
                })
            }
        }
    };
}
pub(crate) use counters;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cgroup::{self, GroupCounters, Throttled};
    use crate::idle_state::Idling;
    use crate::process::{ProcessIo, ThreadSchedule};
    use crate::processor::CpuTicks;
    use crate::{DiskCounters, LinkCounters, MachinePaging, diskstats, frequency};
    use proptest::prelude::*;
    use std::fmt::Write as _;

    const PAGE: &str = "../../docs/numbers.md";
    const BEGIN: &str = "<!-- counters:begin -->\n";
    const END: &str = "<!-- counters:end -->";

    fn all() -> Vec<Counter> {
        let families = [
            DiskCounters::COUNTERS,
            &[diskstats::IN_FLIGHT],
            CpuTicks::COUNTERS,
            MachinePaging::COUNTERS,
            ProcessIo::COUNTERS,
            ThreadSchedule::COUNTERS,
            GroupCounters::COUNTERS,
            Throttled::COUNTERS,
            &[cgroup::THROTTLED_NS_OF_VERSION_1],
            Idling::COUNTERS,
            &[frequency::CURRENT],
            LinkCounters::COUNTERS,
        ];
        families.concat()
    }

    fn table() -> String {
        let mut text = String::from(
            "| file | there | in | name here | meaning |\n| --- | --- | --- | --- | --- |\n",
        );
        for one in all() {
            let meaning = one.meaning.trim().trim_end_matches('.');
            writeln!(
                text,
                "| `{}` | {} | {} | `{}` | {meaning} |",
                one.file, one.position, one.unit, one.name
            )
            .expect("memory takes everything");
        }
        text
    }

    /// With `FATHOM_WRITE_DOCS=1` it writes the table.
    #[test]
    fn the_page_has_every_counter() {
        let page = std::fs::read_to_string(PAGE).expect(PAGE);
        let (before, rest) = page.split_once(BEGIN).expect("the begin of the table");
        let (_, after) = rest.split_once(END).expect("the end of the table");
        let renewed = format!("{before}{BEGIN}{}{END}{after}", table());
        if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
            std::fs::write(PAGE, &renewed).expect(PAGE);
            return;
        }
        assert!(
            page == renewed,
            "write {PAGE} anew with FATHOM_WRITE_DOCS=1"
        );
    }

    #[test]
    fn no_two_counters_stand_in_one_place() {
        let mut positions: Vec<_> = all().iter().map(|one| (one.file, one.position)).collect();
        let count = positions.len();
        positions.sort_by_key(|(file, position)| (*file, format!("{position:?}")));
        positions.dedup();
        assert_eq!(positions.len(), count);
    }

    #[test]
    fn each_form_of_a_file_is_read() {
        let at = |position, unit| Counter {
            file: "",
            position,
            unit,
            name: "",
            meaning: "",
        };
        let after = at(Position::After("b"), Unit::Kibibytes);
        assert_eq!(after.in_lines("bb 1\nb 2\n"), Some(2048));
        assert_eq!(after.in_lines("a: 1\nb: 3\n"), Some(3072));
        assert_eq!(after.in_line("7:0 a=1 b=4"), Some(4096));
        assert_eq!(after.in_lines("b many\n"), None);
        assert_eq!(after.in_columns(1, &[1]), None);
        let column = at(Position::Column(4), Unit::Sectors);
        assert_eq!(column.in_columns(4, &[1, 2]), Some(512));
        assert_eq!(column.in_columns(5, &[1, 2]), None);
        assert_eq!(column.in_columns(1, &[1, 2, 3]), None);
        let most = at(Position::Column(1), Unit::Microseconds);
        assert_eq!(most.in_columns(1, &[u64::MAX]), Some(u64::MAX));
    }

    proptest! {
        #[test]
        fn any_step_shorter_than_a_lap_is_found(then in 0u64..1 << 32, step in 0u64..1 << 32) {
            let now = (then + step) % (1 << 32);
            let busy = DiskCounters::COUNTERS.iter().find(|one| one.name == "busy_time_ms");
            prop_assert_eq!(busy.and_then(|busy| busy.passed(then, now)), Some(step));
        }
    }
}
