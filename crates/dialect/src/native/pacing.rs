//! When requests go: the forms of `pacing`, and the short forms beside the job.

use super::keys;
use super::table::Table;
use fathom_core::spec::{Arrivals, Pacing, Steering};
use fathom_core::units::{Nanos, Percent};

const ARRIVALS: [(&str, Arrivals); 2] = [
    ("constant", Arrivals::Constant),
    ("poisson", Arrivals::Poisson),
];

/// Short forms that make an open load.
const OPEN: [&str; 2] = ["rate", "arrivals"];

/// Short forms of a closed load that pauses.
const CLOSED: [&str; 2] = ["think", "burst"];

pub(super) fn read(job: &Table<'_>) -> Pacing {
    let (open, closed) = (job.entries(&OPEN), job.entries(&CLOSED));
    if let Some(long) = job.entry("pacing") {
        for short in open.iter().chain(&closed) {
            job.clash(&long, short);
        }
        return form(job).unwrap_or(Pacing::CLOSED);
    }
    for entry in open.iter().chain(&closed) {
        let path = job.path(&format!("pacing.{}", entry.key));
        job.reading().place(path, entry.span.clone());
        job.reading().place(job.path("pacing"), entry.span.clone());
    }
    if open.is_empty() {
        return paused(job);
    }
    for entry in &closed {
        job.reading().error(
            &entry.name,
            format!("`{}` has no meaning at a fixed rate", entry.key),
            "drop it, or drop `rate`: a load by the clock does not wait for completions",
        );
    }
    by_rate(job).unwrap_or(Pacing::CLOSED)
}

fn form(job: &Table<'_>) -> Option<Pacing> {
    const EXAMPLE: &str = "as in `pacing = { open = { rate = \"1000 IOPS\" } }`";
    let (name, inner) = job.form("pacing", keys::PACING, EXAMPLE)?;
    let Some(table) = inner else {
        return Some(Pacing::CLOSED);
    };
    match name {
        "open" => by_rate(&table),
        "cyclic" => {
            let every = table.needed("every", "\"80s\"", table.time("every"));
            let bytes = burst_bytes(&table);
            Some(Pacing::Cyclic {
                every: every?,
                bytes: bytes?,
            })
        }
        "steered" => steered(&table),
        "triggered" => burst_bytes(&table).map(|bytes| Pacing::Triggered { bytes }),
        _ => Some(paused(&table)),
    }
}

fn steered(table: &Table<'_>) -> Option<Pacing> {
    let within = table.needed("within", "\"1ms\"", table.time("within"));
    Some(Pacing::Steered(Steering {
        within: within?,
        share: table.share("share").unwrap_or(Percent(99.0)),
        window: table.time("window").unwrap_or(Nanos::from_secs(1)),
        follow: table.flag("follow").unwrap_or(false),
    }))
}

fn paused(table: &Table<'_>) -> Pacing {
    Pacing::Closed {
        think: table.time("think").unwrap_or(Nanos::ZERO),
        burst: table.count("burst").unwrap_or(1),
    }
}

fn by_rate(table: &Table<'_>) -> Option<Pacing> {
    let rate = table.needed("rate", "\"1000 IOPS\"", table.rate("rate"));
    let arrivals = table.choice("arrivals", &ARRIVALS);
    Some(Pacing::Open {
        rate: rate?,
        arrivals: arrivals.unwrap_or(Arrivals::Constant),
    })
}

fn burst_bytes(table: &Table<'_>) -> Option<fathom_core::Bytes> {
    table.needed("bytes", "\"2GiB\"", table.size("bytes"))
}
