//! The table.

use crate::load::{DEPTHS, Worst};
use anyhow::Result;
use std::fmt::Write as _;

/// A profile and what it came to at each of [`DEPTHS`].
#[derive(Debug)]
pub(crate) struct ProfileRow {
    pub(crate) profile: &'static str,
    pub(crate) depths: [Result<Worst>; DEPTHS.len()],
}

impl ProfileRow {
    /// Whether it is below the bar at every depth.
    pub(crate) fn is_below(&self) -> bool {
        self.depths.iter().zip(DEPTHS).all(|(found, depth)| {
            found
                .as_ref()
                .is_ok_and(|worst| worst.service_ns < depth.below_ns)
        })
    }
}

/// The rows as a table in Markdown, with what to know of it.
pub(crate) fn render(rows: &[ProfileRow], ms: u64) -> String {
    let mut text = "| profile |".to_owned();
    for depth in DEPTHS {
        let _ = write!(
            text,
            " service p50 at depth {} | generation |",
            depth.queue_depth
        );
    }
    text.push_str(" below the bars |\n| --- |");
    text.push_str(&" ---: | ---: |".repeat(DEPTHS.len()));
    text.push_str(" --- |\n");
    for row in rows {
        let _ = write!(text, "| {} |", row.profile);
        for found in &row.depths {
            let _ = match found {
                Ok(Worst {
                    service_ns,
                    generation_ns,
                }) => write!(text, " {service_ns} ns | {generation_ns:.0} ns |"),
                Err(error) => write!(text, " not run: {error:#} | |"),
            };
        }
        text.push_str(if row.is_below() {
            " yes |\n"
        } else {
            " NO |\n"
        });
    }
    let bars = DEPTHS.map(|depth| format!("{} ns at {}", depth.below_ns, depth.queue_depth));
    let _ = writeln!(
        text,
        "\nNull engine, one thread a job, phases of {ms} ms. The slowest operation of all jobs: \
         median service\ntime, which has to be below {}, and mean time from the start of a\nbatch \
         to its issue.",
        bars.join(" and ")
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_is_below_the_bars() {
        let worst = |service_ns| {
            Ok(Worst {
                service_ns,
                generation_ns: 1_234.5,
            })
        };
        let rows = [
            ProfileRow {
                profile: "quick",
                depths: [worst(999), worst(2_999)],
            },
            ProfileRow {
                profile: "slow",
                depths: [worst(999), worst(3_000)],
            },
            ProfileRow {
                profile: "broken",
                depths: [worst(1), Err(anyhow::anyhow!("too few"))],
            },
        ];
        let expected = "\
| profile | service p50 at depth 1 | generation | service p50 at depth 32 | generation | below the \
bars |
| --- | ---: | ---: | ---: | ---: | --- |
| quick | 999 ns | 1234 ns | 2999 ns | 1234 ns | yes |
| slow | 999 ns | 1234 ns | 3000 ns | 1234 ns | NO |
| broken | 1 ns | 1234 ns | not run: too few | | NO |

Null engine, one thread a job, phases of 100 ms. The slowest operation of all jobs: median service
time, which has to be below 1000 ns at 1 and 3000 ns at 32, and mean time from the start of a
batch to its issue.
";
        assert_eq!(render(&rows, 100), expected);
    }
}
