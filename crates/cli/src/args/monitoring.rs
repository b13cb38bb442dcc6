//! `fathom generate grafana` and `fathom generate prometheus-rules`.

use clap::Args;
use fathom_core::Nanos;

/// Values of a dashboard.
#[derive(Args, Debug)]
pub(crate) struct GrafanaArgs {
    /// Title of the dashboard; its identifier follows from it
    #[arg(long, value_name = "TITLE", default_value = "Storage by fathom watch")]
    pub(crate) title: String,
    /// Offer only values of the label `instance` that match this expression, such as db.*
    /// [default: all]
    #[arg(long, value_name = "REGEX")]
    pub(crate) instance: Option<String>,
}

/// Thresholds of alerts.
#[derive(Args, Debug)]
pub(crate) struct PrometheusRulesArgs {
    /// p99 of the requests of a device from which an alert fires
    #[arg(long, value_name = "TIME", default_value = "50ms", value_parser = threshold)]
    pub(crate) latency: Nanos,
    /// Time until burst credit is used up, below which an alert fires
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = threshold)]
    pub(crate) credit: Nanos,
}

/// With a threshold of zero an alert always fires, or never.
fn threshold(text: &str) -> Result<Nanos, String> {
    let time: Nanos = text.parse().map_err(|error| format!("{error}"))?;
    if time > Nanos::ZERO {
        Ok(time)
    } else {
        Err("expected a time above zero".to_owned())
    }
}
