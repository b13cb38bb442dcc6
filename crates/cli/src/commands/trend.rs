//! `fathom trend`: one metric over weeks.

use super::answers::Answers;
use super::{archive, history};
use crate::args::TrendArgs;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use fathom_store::{Filter, Store, StoreError, Wanted};
use fathom_verdict::compare::{Metric, differences};
use fathom_verdict::trend::{Series, Trend, Trends};

pub(crate) fn run(args: &TrendArgs) -> Result<Exit, Error> {
    let mut answers = Answers::open(&args.answer)?;
    let since = args.since.as_ref();
    let since = since.map(|text| history::instant("--since", text));
    let filter = Filter {
        host: args.host.clone(),
        since: since.transpose()?,
        ..Filter::default()
    };
    let store = archive::open_to_read(args.store.store.as_deref())?;
    let trends = match &args.what {
        None => longest(&store, &filter, args.metric)?,
        Some(what) => of(&store, &selected(&store, what, &filter)?, args.metric)?,
    };
    answers.tell(&trends)?;
    Ok(if args.gate { gate(&trends) } else { Exit::Ok })
}

/// All metrics of the runs that a filter lets through.
pub(super) fn of(
    store: &Store,
    filter: &Filter,
    metric: Option<Metric>,
) -> Result<Trends, Problem> {
    let series = series(store, filter, metric)?.into_iter();
    let trends = series.map(|(series, metric)| trend(store, series, metric));
    Ok(Trends::new(trends.collect::<Result<_, _>>()?, 0))
}

/// The metric with the most runs.
fn longest(store: &Store, filter: &Filter, metric: Option<Metric>) -> Result<Trends, Problem> {
    let all = series(store, filter, metric)?;
    let others = all.len().saturating_sub(1);
    let longest = all.into_iter().max_by_key(|(one, _)| one.points.len());
    let trend = longest.map(|(series, metric)| trend(store, series, metric));
    Ok(Trends::new(Vec::from_iter(trend.transpose()?), others))
}

/// The runs with a tag, else those of a workload, else those on a target or disk.
fn selected(store: &Store, what: &str, filter: &Filter) -> Result<Filter, Problem> {
    let some = |word: &str| Some(word.to_owned());
    let filters = [
        Filter {
            tag: some(what.strip_prefix("tag:").unwrap_or(what)),
            ..filter.clone()
        },
        Filter {
            workload: some(what),
            ..filter.clone()
        },
        Filter {
            target: some(what),
            ..filter.clone()
        },
    ];
    for filter in filters {
        let runs = store
            .count_of(&filter)
            .map_err(|error| archive::problem(&error))?;
        if runs > 0 {
            return Ok(filter);
        }
    }
    let thing = format!("no run of the history matches {what}");
    Err(Problem::new(Exit::Usage, thing)
        .because("it is neither a tag, nor a workload, nor part of a target or disk")
        .remedy("`fathom history` lists the runs"))
}

/// Each history with its metric. The rate of an open load is given, so its latency is what
/// changes.
fn series(
    store: &Store,
    filter: &Filter,
    metric: Option<Metric>,
) -> Result<Vec<(Series, Metric)>, Problem> {
    let read = |metric: Metric| {
        let found = store.series(filter, metric);
        let found = found.map_err(|error| archive::problem(&error))?;
        found.ok_or_else(|| {
            let thing = format!("the history has no table of {}", metric.name());
            Problem::new(Exit::Usage, thing).remedy("use another --metric, such as p90 or p99")
        })
    };
    let first = metric.unwrap_or(Metric::Iops);
    let mut all: Vec<(Series, Metric)> = read(first)?.into_iter().map(|one| (one, first)).collect();
    let is_open = |series: &Series| metric.is_none() && series.key.load_model == "open";
    if all.iter().any(|(series, _)| is_open(series)) {
        let p99: Metric = "p99".parse().expect("it is in the table");
        // The same rows in the same order.
        for (own, latency) in all.iter_mut().zip(read(p99)?) {
            if is_open(&own.0) {
                *own = (latency, p99);
            }
        }
    }
    Ok(all)
}

fn trend(store: &Store, series: Series, metric: Metric) -> Result<Trend, Problem> {
    let compared = |before: &str, after: &str| -> Result<_, StoreError> {
        let result = |run_id| store.result(Wanted::Prefix(run_id));
        Ok(differences(&result(before)?, &result(after)?))
    };
    Trend::of(series, metric, compared).map_err(|error| archive::problem(&error))
}

fn gate(trends: &Trends) -> Exit {
    let got_worse = |trend: &Trend| trend.got_worse() == Some(true);
    if trends.trends.iter().any(got_worse) {
        Exit::LimitMissed
    } else if trends.trends.iter().all(|trend| trend.found.is_none()) {
        Exit::Undecided
    } else {
        Exit::Ok
    }
}
