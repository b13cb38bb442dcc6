//! What each host did at each time: requests a second by host and time.

use fathom_core::SmallSort as _;
use fathom_core::result::{ClusterPhase, HostIntervals, PhaseResult};

/// Columns, at most.
const COLUMNS: usize = 120;
/// Hosts, at most; of more those with the fewest requests are shown.
pub(crate) const HOSTS: usize = 40;

/// Requests a second by host and time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HostMap {
    /// Starts of the columns and the end of the last, seconds after the start of the phase.
    pub(crate) edges_s: Vec<f64>,
    /// Hosts, each with its rate in each column.
    pub(crate) hosts: Vec<(String, Vec<f64>)>,
    /// Hosts that are left out.
    pub(crate) left_out: usize,
    /// Intervals in a full column.
    pub(crate) column_intervals: usize,
}

/// The map of a phase; none of one host, or without intervals.
pub(crate) fn of(phase: &PhaseResult, together: &ClusterPhase) -> Option<HostMap> {
    let mut hosts: Vec<&HostIntervals> = together.host_intervals.iter().collect();
    let rows = hosts.iter().map(|host| host.ios.len()).max()?;
    if hosts.len() < 2 || rows == 0 {
        return None;
    }
    let spans = spans(phase, rows)?;
    let left_out = hosts.len().saturating_sub(HOSTS);
    if left_out > 0 {
        hosts.small_sort_by_key(|host| host.ios.iter().sum::<u64>());
        hosts.truncate(HOSTS);
    }
    let step = rows.div_ceil(COLUMNS);
    let columns = rows.div_ceil(step);
    let begins = (0..columns).map(|column| spans[column * step].0);
    let end = spans.last().map(|(start, length)| start + length);
    let lengths: Vec<f64> = spans.iter().map(|(_, length)| *length).collect();
    let rates = |host: &HostIntervals| {
        let columns = host.ios.chunks(step).zip(lengths.chunks(step));
        let rate = |(ios, lengths): (&[u64], &[f64])| {
            ios.iter().sum::<u64>() as f64 / lengths.iter().sum::<f64>()
        };
        columns.map(rate).collect()
    };
    Some(HostMap {
        edges_s: begins.chain(end).collect(),
        hosts: hosts
            .into_iter()
            .map(|host| (host.host.clone(), rates(host)))
            .collect(),
        left_out,
        column_intervals: step,
    })
}

/// Begin and length of each row, in seconds: those of the intervals, of which the first and the
/// last of a part may be shorter. Where rows were left out among the intervals, all are as long as
/// the first.
fn spans(phase: &PhaseResult, rows: usize) -> Option<Vec<(f64, f64)>> {
    let seconds = |ns: u64| ns as f64 / 1e9;
    if phase.intervals.len() == rows {
        let intervals = phase.intervals.iter();
        let spans = intervals.map(|one| (seconds(one.start_ns), seconds(one.length_ns)));
        return Some(spans.collect());
    }
    let length = seconds(phase.intervals.first()?.length_ns);
    let spans = (0..rows).map(|row| (row as f64 * length, length));
    (length > 0.0).then(|| spans.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;
    use fathom_core::result::IntervalResult;

    fn hosts(count: usize, rows: usize) -> ClusterPhase {
        let host = |number: usize| HostIntervals {
            host: format!("db{number}"),
            ios: (0..rows)
                .map(|row| (1000 * (number + 1) + row) as u64)
                .collect(),
        };
        ClusterPhase {
            host_intervals: (0..count).map(host).collect(),
            ..ClusterPhase::default()
        }
    }

    #[test]
    fn columns_are_means_of_their_intervals() {
        let phase = &fixture::random_read().phases[0];
        let map = of(phase, &hosts(2, 130)).expect("a map");
        assert_eq!((map.column_intervals, map.edges_s.len()), (2, 66));
        assert_eq!((map.edges_s[0], map.edges_s[65]), (0.0, 130.0));
        assert_eq!(map.hosts[1].0, "db1");
        assert_eq!(map.hosts[1].1[..2], [2000.5, 2002.5]);
        assert_eq!(of(phase, &hosts(1, 5)), None);
    }

    #[test]
    fn a_short_row_is_as_wide_as_it_is_long() {
        let mut phase = fixture::random_read().phases[0].clone();
        let interval = phase.intervals[0].clone();
        let row = |start_ms: u64, length_ms: u64| IntervalResult {
            start_ns: start_ms * 1_000_000,
            length_ns: length_ms * 1_000_000,
            ..interval.clone()
        };
        phase.intervals = vec![row(0, 250), row(250, 1000), row(1250, 500)];
        let map = of(&phase, &hosts(2, 3)).expect("a map");
        assert_eq!(map.edges_s, [0.0, 0.25, 1.25, 1.75]);
        assert_eq!(map.hosts[0].1, [4000.0, 1001.0, 2004.0]);
    }

    #[test]
    fn of_many_hosts_the_slowest_are_shown() {
        let phase = &fixture::random_read().phases[0];
        let map = of(phase, &hosts(100, 3)).expect("a map");
        assert_eq!((map.hosts.len(), map.left_out), (HOSTS, 60));
        assert_eq!(map.hosts[HOSTS - 1].0, "db39");
    }
}
