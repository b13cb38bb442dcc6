//! When the requests of a job go.

use super::kinds::{Direction, Mix};
use super::pen::Pen;
use super::subject::OfJob;
use fathom_core::spec::{Job, Pacing};
use fathom_core::{Op, Rate};
use fathom_tools::writers::{Bursts, rounded_rate};

/// The rate at which all threads of a job make their requests, if a clock says it.
pub(crate) fn rate(bursts: &Bursts<'_>, job: &Job) -> Option<Rate> {
    match &job.pacing {
        Pacing::Open { rate, .. } => Some(*rate),
        Pacing::Cyclic { .. } | Pacing::Triggered { .. } => {
            bursts.rate(job).map(Rate::BytesPerSecond)
        }
        Pacing::Closed { .. } => None,
    }
}

/// The part of a direction in requests a second.
pub(crate) fn in_requests(direction: &Direction) -> f64 {
    f64::from(direction.share)
}

/// The part of a direction in bytes a second.
pub(crate) fn in_bytes(direction: &Direction) -> f64 {
    f64::from(direction.share) * Mix::mean_bytes(direction)
}

/// The rate of each clone and direction.
pub(crate) fn limits(of: &OfJob<'_>, rate: Rate, part: fn(&Direction) -> f64, pen: &mut Pen<'_>) {
    let (mix, clones) = (&of.mix, of.clones.count);
    let all: f64 = mix.directions.iter().map(part).sum();
    let mut error = 0.0_f64;
    let mut of = |op: Op| {
        let direction = mix.directions.iter().find(|direction| direction.op == op)?;
        let exact = rate.per_second() * part(direction) / all / clones as f64;
        let whole = exact.round().clamp(1.0, f64::from(u32::MAX));
        error = error.max((whole / exact - 1.0).abs());
        Some(whole)
    };
    let values = [Op::Read, Op::Write, Op::Trim].map(&mut of);
    let text = match (values, mix.directions.len()) {
        ([Some(read), Some(write), None], _) => format!("{read},{write}"),
        ([read, write, trim], _) => read
            .or(write)
            .or(trim)
            .map_or_else(String::new, |v| v.to_string()),
    };
    pen.put(text);
    let message = "fio's rates are whole numbers for each clone and direction";
    rounded_rate(error, message, pen.losses);
}
