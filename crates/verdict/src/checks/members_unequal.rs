//! Members of unequal rates.

use crate::check::{Code, Entry, Example, entry, thresholds};
use crate::stats::median;
use fathom_core::result::{ClusterMember, ClusterReport};
use fathom_core::summary::Spread;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Coefficient of variation of the members' rates beyond which they are unequal
    UNEQUAL_PERCENT: f64 = 10.0, Percent, Decided "docs/many-hosts.md";
    /// Share of the median rate below which a member is called slow
    SLOW_PERCENT: f64 = 50.0, Percent, Decided "docs/many-hosts.md";
}

pub(crate) const ENTRY: Entry = entry! { MembersUnequal: Hosts, Nothing, "note",
    "the rates of the members have a coefficient of variation of more than {UNEQUAL_PERCENT}",
    [row::UNEQUAL_PERCENT, row::SLOW_PERCENT],
    Example::Said(|| caveat(9_000.0, 21_000.0, 34.0, "").about("run"))
};

/// The slowest member of a phase, where it is far slower than the others.
#[derive(Clone, Debug, PartialEq)]
pub struct SlowMember<'a> {
    /// The member that differs.
    pub member: &'a ClusterMember,
    /// Its requests per second.
    pub iops: f64,
    /// The median of all members.
    pub median: f64,
}

/// The slowest member of the phase of this number, if its rate is below half of the median.
pub fn slow_member(report: &ClusterReport, phase: usize) -> Option<SlowMember<'_>> {
    let measured = |member| rate(member, phase).map(|iops| (member, iops));
    let rates: Vec<_> = report.members.iter().filter_map(measured).collect();
    let (member, iops) = rates.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let median = median(&rates.iter().map(|(_, iops)| *iops).collect::<Vec<_>>());
    (iops < median * SLOW_PERCENT / 100.0).then_some(SlowMember {
        member,
        iops,
        median,
    })
}

/// The rate of a member in a phase that it measured.
fn rate(member: &ClusterMember, phase: usize) -> Option<f64> {
    let phase = member.phases.get(phase)?;
    phase.measured_ns.map(|_| phase.iops)
}

/// What the members' rates in the phase of this number show.
pub(crate) fn found(report: &ClusterReport, phase: usize) -> Option<Caveat> {
    let members = report.members.iter();
    let rates: Vec<f64> = members.filter_map(|member| rate(member, phase)).collect();
    let spread = Spread::of(&rates);
    let percent = 100.0 * spread.stddev / spread.mean;
    if rates.len() < 2 || percent.is_nan() || percent <= UNEQUAL_PERCENT {
        return None;
    }
    let slow = slow_member(report, phase).map(|slow| {
        let (host, rank) = (&slow.member.host, slow.member.rank);
        format!(
            ". The slowest is {host} (rank {rank}), and the median is {:.0}",
            slow.median
        )
    });
    Some(caveat(
        spread.min,
        spread.max,
        percent,
        &slow.unwrap_or_default(),
    ))
}

fn caveat(least: f64, most: f64, percent: f64, slow: &str) -> Caveat {
    let message = format!(
        "members are unequal: between {least:.0} and {most:.0} requests per second, a coefficient \
         of variation of {percent:.0} %{slow}"
    );
    let remedy = "find the slow members in the table of members";
    Code::MembersUnequal
        .caveat(Level::Note, message)
        .remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::{MemberPhase, MemberState};

    fn report(rates: &[f64]) -> ClusterReport {
        let members = rates.iter().zip(0..).map(|(iops, rank)| ClusterMember {
            rank,
            index: 0,
            host: format!("db{}", rank + 1),
            machine: None,
            boot_id: String::new(),
            seed: 1,
            state: MemberState::Finished,
            why: String::new(),
            counted: None,
            clock_offset_ns: None,
            clock_error_ns: None,
            targets: Vec::new(),
            phases: vec![MemberPhase {
                iops: *iops,
                measured_ns: Some(1),
                ..MemberPhase::default()
            }],
            apart: Vec::new(),
        });
        ClusterReport {
            members: members.collect(),
            ..ClusterReport::default()
        }
    }

    #[test]
    fn rates_may_vary_a_little() {
        let found = |rates: &[f64]| found(&report(rates), 0).is_some();
        assert!(!found(&[90.0, 110.0]));
        assert!(found(&[89.0, 111.0]));
        assert!(!found(&[89.0]));
    }

    #[test]
    fn a_member_far_slower_than_the_others_is_named() {
        let slow = report(&[15_000.0, 15_100.0, 800.0, 14_900.0]);
        let message = found(&slow, 0).map(|caveat| caveat.message);
        let expected = "members are unequal: between 800 and 15100 requests per second, a \
                        coefficient of variation of 54 %. The slowest is db3 (rank 2), and the \
                        median is 14950";
        assert_eq!(message.as_deref(), Some(expected));
        assert_eq!(slow_member(&report(&[100.0, 100.0, 50.0]), 0), None);
    }
}
