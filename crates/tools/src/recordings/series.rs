//! Series of many monitoring systems on their way into a recording: what each says by name, and
//! what has to be said of it.

use super::instants::Stamp;
use super::metric_name::{self, EXPORTER_PERIOD, Known};
use super::readings::{Count, Reading, Readings};
use fathom_core::recording::Recording;
use std::collections::HashMap;

/// Names of metrics that are listed at most.
const MOST_LISTED: usize = 12;

/// Names that are looked up at most.
const MOST_NAMES: usize = 10_000;

/// What was read of an export.
#[derive(Debug)]
pub(super) struct Series {
    readings: Readings,
    /// By the first name that is known.
    tool: Option<&'static str>,
    /// What a device without a name is called, by the same.
    device: Option<&'static str>,
    /// Names that say nothing of a load.
    unknown: Vec<String>,
    /// Names that were looked up.
    seen: HashMap<String, Option<Known>>,
    /// Whether sums of a cloud's period were read, and such of an exporter.
    has_sums: bool,
    is_exported: bool,
}

impl Series {
    /// Of a source whose times stand at the start of their spans, as clouds write them.
    pub(super) fn from_begins() -> Self {
        Self::of(Readings::from_begins())
    }

    /// Of a source whose times stand at the end of their spans.
    pub(super) fn from_ends() -> Self {
        Self::of(Readings::default())
    }

    /// The same before the first value, of a source whose times stand at the end.
    pub(super) fn at_ends(self) -> Self {
        Self {
            readings: Readings::default(),
            ..self
        }
    }

    fn of(readings: Readings) -> Self {
        Self {
            readings,
            tool: None,
            device: None,
            unknown: Vec::new(),
            seen: HashMap::new(),
            has_sums: false,
            is_exported: false,
        }
    }

    /// What a name means, each looked up once.
    pub(super) fn known(&mut self, name: &str) -> Option<Known> {
        let seen = self.seen.get(name).copied();
        if seen.is_none() && self.seen.len() >= MOST_NAMES {
            return None;
        }
        let found = seen.unwrap_or_else(|| {
            let mut found = metric_name::known(name);
            if let Some(found) = &mut found {
                found.device = self.device.get_or_insert(found.device);
            } else if !name.is_empty() {
                self.unknown.push(name.to_owned());
            }
            self.seen.insert(name.to_owned(), found);
            found
        })?;
        self.tool.get_or_insert(found.tool);
        self.is_exported |= found.span.is_some();
        self.has_sums |= found.count == Count::Sum;
        Some(found)
    }

    /// A value of a device.
    pub(super) fn put(
        &mut self,
        known: &Known,
        device: &str,
        at: (i128, &str),
        value: f64,
        span: Option<f64>,
    ) {
        let reading = Reading {
            metric: known.metric,
            count: known.count,
            value: value * known.factor,
            span: span.or(known.span),
        };
        self.readings.put(device, at, reading);
    }

    /// The values of one name and device.
    pub(super) fn values(
        &mut self,
        name: &str,
        device: Option<&str>,
        values: impl Iterator<Item = (Stamp, Option<f64>)>,
    ) {
        let Some(known) = self.known(name) else {
            return;
        };
        let own = known.device(name);
        let device = device.unwrap_or(&own);
        for (stamp, value) in values {
            if let Some(value) = value {
                self.put(&known, device, stamp.pair(), value, None);
            }
        }
    }

    /// The recording, which `tool` made if no name says more.
    pub(super) fn recording(self, tool: &str, host: Option<String>) -> Recording {
        let tool = self.tool.unwrap_or(tool);
        let mut recording = self.readings.recording(tool, host);
        if self.is_exported {
            recording.notes.push(format!(
                "sums of cloudwatch_exporter are taken as those of {EXPORTER_PERIOD} s, its usual \
                 period"
            ));
        } else if self.has_sums && tool == "CloudWatch" {
            recording.notes.push(
                "counts and bytes of CloudWatch are taken as sums of a period (`--stat Sum`), and \
                 the period as the usual distance of two points"
                    .to_owned(),
            );
        }
        if !self.unknown.is_empty() {
            let listed = self.unknown.len().min(MOST_LISTED);
            let names = self.unknown[..listed].join(", ");
            let more = match self.unknown.len() - listed {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            recording.notes.push(format!(
                "metrics that say nothing of a load are left out: {names}{more}"
            ));
        }
        recording
    }
}
