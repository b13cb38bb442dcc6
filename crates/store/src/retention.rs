//! Which runs go when not all can stay.

use crate::list::RunRow;

/// What may stay. Runs in progress, and those with a tag or a note, always do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Retention {
    /// At most this number of runs.
    pub max_runs: Option<u64>,
    /// Packed documents of at most this total size, bytes.
    pub max_bytes: Option<u64>,
    /// Runs that began at this instant or later, RFC 3339 in UTC.
    pub since: Option<String>,
}

impl Retention {
    /// The runs that go. `runs` are all runs, the latest first; from the first that is too many on,
    /// all older ones go. Those that stay in any case count for what may stay.
    pub fn gone<'a>(&self, runs: &'a [RunRow]) -> Vec<&'a RunRow> {
        let (mut count, mut bytes) = (0, 0);
        let mut gone = Vec::new();
        let stays =
            |run: &RunRow| run.status == "running" || !run.tags.is_empty() || run.note.is_some();
        for run in runs.iter().filter(|run| stays(run)) {
            count += 1;
            bytes += run.bytes;
        }
        let mut is_full = false;
        for run in runs.iter().filter(|run| !stays(run)) {
            is_full = is_full
                || self.max_runs.is_some_and(|max| count + 1 > max)
                || self.max_bytes.is_some_and(|max| bytes + run.bytes > max)
                || self
                    .since
                    .as_ref()
                    .is_some_and(|since| run.started_at < *since);
            if is_full {
                gone.push(run);
            } else {
                count += 1;
                bytes += run.bytes;
            }
        }
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five runs, one a day, of 100 bytes each; the latest is `5`.
    fn runs() -> Vec<RunRow> {
        let run = |day: u64| RunRow {
            name: day.to_string(),
            run_id: day.to_string(),
            status: "complete".to_owned(),
            started_at: format!("2026-03-0{day}T12:00:00.000Z"),
            workload: String::new(),
            targets: String::new(),
            disk: String::new(),
            answer: String::new(),
            interruption: String::new(),
            hostname: String::new(),
            engine: String::new(),
            origin: "measured".to_owned(),
            state: "VALID".to_owned(),
            phases: 1,
            iops: 0.0,
            bytes_per_second: 0.0,
            p99_ns: None,
            bytes: 100,
            tags: Vec::new(),
            note: None,
        };
        (1..=5).rev().map(run).collect()
    }

    fn gone(retention: &Retention, runs: &[RunRow]) -> Vec<String> {
        let gone = retention.gone(runs);
        gone.into_iter().map(|run| run.name.clone()).collect()
    }

    #[test]
    fn the_oldest_go_first() {
        let runs = runs();
        let by_number = Retention {
            max_runs: Some(2),
            ..Retention::default()
        };
        let by_size = Retention {
            max_bytes: Some(399),
            ..Retention::default()
        };
        let by_age = Retention {
            since: Some("2026-03-04T12:00:00.000Z".to_owned()),
            ..Retention::default()
        };
        let all = Retention {
            max_runs: Some(4),
            ..by_age.clone()
        };
        assert_eq!(gone(&by_number, &runs), ["3", "2", "1"]);
        assert_eq!(gone(&by_size, &runs), ["2", "1"]);
        assert_eq!(gone(&by_age, &runs), ["3", "2", "1"]);
        assert_eq!(gone(&all, &runs), ["3", "2", "1"]);
        assert!(gone(&Retention::default(), &runs).is_empty());
    }

    #[test]
    fn what_somebody_has_marked_stays_and_counts() {
        let mut runs = runs();
        runs[4].tags = vec!["baseline".to_owned()];
        runs[3].note = Some("new firmware".to_owned());
        runs[2].status = "running".to_owned();
        let retention = |max_runs| Retention {
            max_runs: Some(max_runs),
            ..Retention::default()
        };
        assert_eq!(gone(&retention(4), &runs), ["4"]);
        assert_eq!(gone(&retention(0), &runs), ["5", "4"]);
    }
}
