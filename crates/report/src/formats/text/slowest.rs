//! The slowest requests: whether they were single ones or a few stalls, and in a format of its own
//! one by one: when, where, how long, and which of them were slow together.

use crate::figure::{decimal, plural, size, time};
use crate::page::Page;
use crate::table::{Align, Table};
use crate::text_options::TextOptions;
use fathom_core::Op;
use fathom_core::SmallSort as _;
use fathom_core::histogram::lower_edge_ns;
use fathom_core::result::{JobResult, LoadModel, OpResult, PhaseResult, RunResult, SlowRequest};
use fathom_core::result::{SlowEvent, slow_events};

pub(crate) fn render(result: &RunResult, options: TextOptions) -> String {
    let mut page = Page::new(options);
    super::headline(&mut page, result);
    for phase in &result.phases {
        page.blank();
        if result.phases.len() > 1 {
            page.heading(&super::phase_label(result, phase));
        }
        list(&mut page, phase);
    }
    page.finish()
}

/// A slow request and what it belongs to.
struct RequestRow<'a> {
    job: &'a JobResult,
    op: Op,
    slow: &'a SlowRequest,
    /// Its event, numbered from 1 in the order of time within the operation.
    event: usize,
}

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    for job in &phase.jobs {
        let prefix = super::job_prefix(phase, &job.name);
        for (op, result) in job.ops.present() {
            if let Some(words) = sentence(result) {
                page.entry("slowest", &format!("{prefix}{}: {words}", op.name()));
            }
        }
    }
}

fn list(page: &mut Page, phase: &PhaseResult) {
    let mut rows: Vec<RequestRow<'_>> = phase.jobs.iter().flat_map(of_job).collect();
    if rows.is_empty() {
        page.entry(
            "",
            "single requests were not recorded: fathom's own runs record them, imports and results \
             of earlier versions do not",
        );
        return;
    }
    rows.small_sort_by_key(|row| std::cmp::Reverse(row.slow.service_ns));
    page.table(&table(phase, &rows));
    page.footnote(
        "at: completion time from the start of the phase, including warm-up; event: requests that \
         completed within a median service time of each other have the same number",
    );
}

fn of_job(job: &JobResult) -> impl Iterator<Item = RequestRow<'_>> {
    job.ops.present().flat_map(move |(op, one)| {
        let events = of_op(one);
        one.slowest.iter().map(move |slow| {
            let at_ns = slow.completed_ns();
            let event = events.partition_point(|event| event.last_ns < at_ns) + 1;
            RequestRow {
                job,
                op,
                slow,
                event,
            }
        })
    })
}

/// The events behind the requests that were kept of an operation.
fn of_op(op: &OpResult) -> Vec<SlowEvent> {
    let apart_ns = op.service_ns.percentile("50").unwrap_or(0);
    slow_events(&op.slowest, apart_ns)
}

fn table(phase: &PhaseResult, rows: &[RequestRow<'_>]) -> Table {
    let has_jobs = phase.jobs.len() > 1;
    let is_open = rows.iter().any(|row| row.job.load_model == LoadModel::Open);
    let mut table = Table::default();
    table.column("service", Align::Right);
    if is_open {
        table.column("response", Align::Right);
    }
    table.column("at", Align::Right);
    table.column("event", Align::Right);
    if has_jobs {
        table.column("job", Align::Left);
    }
    table.column("op", Align::Left);
    table.column("offset", Align::Right);
    table.column("size", Align::Right);
    table.column("target", Align::Left);
    for row in rows {
        let mut cells = vec![time(row.slow.service_ns as f64)];
        if is_open {
            cells.push(time(row.slow.response_ns() as f64));
        }
        cells.extend([instant(row.slow.completed_ns()), row.event.to_string()]);
        if has_jobs {
            cells.push(row.job.name.clone());
        }
        let target = row.job.targets.get(usize::from(row.slow.target));
        cells.extend([
            row.op.name().to_owned(),
            row.slow.offset.to_string(),
            size(u64::from(row.slow.bytes)),
            target.cloned().unwrap_or_default(),
        ]);
        table.row(cells);
    }
    table
}

/// An instant of a phase, to a millisecond.
fn instant(after_begin_ns: u64) -> String {
    format!("{} s", decimal(after_begin_ns as f64 / 1e9, 3))
}

/// An event is worth naming if it has this part of the requests or more.
const LARGE_SHARE: usize = 10;
/// Events that are named; the others are counted.
const NAMED_EVENTS: usize = 4;
/// Requests that are named.
const NAMED_REQUESTS: usize = 3;

/// What the slowest requests of an operation were, in a sentence; none where none were kept.
fn sentence(op: &OpResult) -> Option<String> {
    let apart_ns = op.service_ns.percentile("50").unwrap_or(0);
    // Where half of all take as long, nothing is slow.
    let unusual = |slow: &&SlowRequest| lower_edge_ns(slow.service_ns) > lower_edge_ns(apart_ns);
    let kept = op.slowest.iter().take_while(unusual).count();
    let slow = &op.slowest[..kept];
    let (slowest, least) = (slow.first()?, slow.last()?);
    let mut events = slow_events(slow, apart_ns);
    let largest = events.iter().map(|event| event.requests).max()?;
    if largest == 1 || largest * LARGE_SHARE < kept {
        let named = slow.iter().take(NAMED_REQUESTS).map(|slow| {
            let (took, at) = (time(slow.service_ns as f64), instant(slow.completed_ns()));
            format!("{took} at {at}")
        });
        return Some(format!(
            "{}; the slowest {kept} came in {}",
            named.collect::<Vec<_>>().join(", "),
            plural(events.len() as u64, "event")
        ));
    }
    let whole = plural(events.len() as u64, "event");
    events.small_sort_by_key(|event| std::cmp::Reverse((event.requests, event.longest_ns)));
    let others = events.len().saturating_sub(NAMED_EVENTS);
    events.truncate(NAMED_EVENTS);
    let named = events
        .iter()
        .map(|event| format!("{} at {}", event.requests, instant(event.first_ns)));
    let named = named.collect::<Vec<_>>().join(", ");
    let others = match others {
        0 => String::new(),
        others => format!(", and {others} more"),
    };
    Some(format!(
        "the slowest {kept}, of {} to {}, came in {whole}: {named}{others}",
        time(least.service_ns as f64),
        time(slowest.service_ns as f64),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture;

    /// `kept` reads of one and a half milliseconds and less, in `in_events` events.
    fn with_slow(kept: u64, in_events: u64) -> RunResult {
        let mut result = fixture::random_read();
        let read = result.phases[0].jobs[0].ops[Op::Read]
            .as_mut()
            .expect("it reads");
        read.slowest = (0..kept)
            .map(|index| SlowRequest {
                issued_ns: 5_000_000_000 + index % in_events * 250_000_000,
                service_ns: 1_500_000 - index * 10,
                offset: 4096 * (kept - index),
                bytes: 4096,
                ..SlowRequest::default()
            })
            .collect();
        result
    }

    fn said(result: &RunResult) -> Option<String> {
        sentence(
            result.phases[0].jobs[0]
                .ops
                .get(Op::Read)
                .expect("it reads"),
        )
    }

    #[test]
    fn stalls_are_told_and_what_came_alone_is_named() {
        let said =
            [(0, 1), (100, 3), (12, 5), (2, 2)].map(|(kept, all)| said(&with_slow(kept, all)));
        let expected = [
            None,
            Some(
                "the slowest 100, of 1.50 ms to 1.50 ms, came in 3 events: 34 at 5.001 s, \
                 33 at 5.251 s, 33 at 5.501 s",
            ),
            Some(
                "the slowest 12, of 1.50 ms to 1.50 ms, came in 5 events: 3 at 5.001 s, \
                 3 at 5.251 s, 2 at 5.501 s, 2 at 5.751 s, and 1 more",
            ),
            Some("1.50 ms at 5.002 s, 1.50 ms at 5.251 s; the slowest 2 came in 2 events"),
        ];
        assert_eq!(said, expected.map(|text| text.map(str::to_owned)));
    }

    #[test]
    fn a_table_of_them_has_a_row_each() {
        let text = render(&with_slow(3, 2), TextOptions::default());
        insta::assert_snapshot!(text);
    }

    #[test]
    fn a_result_without_them_says_so() {
        let text = render(&fixture::random_read(), TextOptions::default());
        insta::assert_snapshot!(text);
    }
}
