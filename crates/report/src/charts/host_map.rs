//! What each host did at each time: requests a second by host and time.

use fathom_core::result::{ClusterPhase, HostIntervals, PhaseResult};

/// Columns, at most.
const COLUMNS: usize = 120;
/// Hosts, at most; of more those with the fewest requests are shown.
pub(crate) const HOSTS: usize = 40;

/// Requests a second by host and time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HostMap {
    /// Begins of the columns and the end of the last, seconds after the begin of the phase.
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
    let length_s = phase.intervals.first()?.length_ns as f64 / 1e9;
    let mut hosts: Vec<&HostIntervals> = together.host_intervals.iter().collect();
    let rows = hosts.iter().map(|host| host.ios.len()).max()?;
    if hosts.len() < 2 || rows == 0 || length_s <= 0.0 {
        return None;
    }
    let left_out = hosts.len().saturating_sub(HOSTS);
    if left_out > 0 {
        hosts.sort_by_key(|host| host.ios.iter().sum::<u64>());
        hosts.truncate(HOSTS);
    }
    let step = rows.div_ceil(COLUMNS);
    let columns = rows.div_ceil(step);
    let edge = |column: usize| (column * step).min(rows) as f64 * length_s;
    let rates = |host: &HostIntervals| {
        let columns = host.ios.chunks(step);
        let rate = |ios: &[u64]| ios.iter().sum::<u64>() as f64 / (ios.len() as f64 * length_s);
        columns.map(rate).collect()
    };
    Some(HostMap {
        edges_s: (0..=columns).map(edge).collect(),
        hosts: hosts
            .into_iter()
            .map(|host| (host.host.clone(), rates(host)))
            .collect(),
        left_out,
        column_intervals: step,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

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
    fn of_many_hosts_the_slowest_are_shown() {
        let phase = &fixture::random_read().phases[0];
        let map = of(phase, &hosts(100, 3)).expect("a map");
        assert_eq!((map.hosts.len(), map.left_out), (HOSTS, 60));
        assert_eq!(map.hosts[HOSTS - 1].0, "db39");
    }
}
