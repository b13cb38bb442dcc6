//! `fathom generate grafana`: a dashboard for the metrics of `fathom watch --listen`.

use crate::args::GrafanaArgs;
use crate::error::Problem;
use crate::exit::Exit;
use serde_json::{Value, json};

/// A picture: its title, its unit as Grafana names it, and its lines with their legends.
type Panel = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const DEVICE: &str = "{{device}} {{op}}";
const LIMIT: &str = "{{of}} {{what}}";

/// `SELECT` stands for the hosts that are chosen, `RATE` for the window of a rate.
const PANELS: [Panel; 10] = [
    (
        "Share of the time in which the storage is limited",
        "percentunit",
        &[(
            "rate(fathom_throttled_seconds_total{SELECT}RATE) > 0",
            "{{instance}} {{by}}",
        )],
    ),
    (
        "Share of each limit",
        "percentunit",
        &[
            ("fathom_measured_iops{SELECT} / fathom_limit_iops", LIMIT),
            (
                "fathom_measured_bytes_per_second{SELECT} / fathom_limit_bytes_per_second",
                LIMIT,
            ),
            (
                "fathom_measured_requests{SELECT} / fathom_limit_requests",
                LIMIT,
            ),
        ],
    ),
    (
        "Requests per second",
        "iops",
        &[("rate(fathom_device_requests_total{SELECT}RATE)", DEVICE)],
    ),
    (
        "Throughput",
        "Bps",
        &[("rate(fathom_device_bytes_total{SELECT}RATE)", DEVICE)],
    ),
    (
        "Mean time of a request",
        "s",
        &[(
            "rate(fathom_device_request_seconds_total{SELECT}RATE) / \
             rate(fathom_device_requests_total{SELECT}RATE)",
            DEVICE,
        )],
    ),
    (
        "Mean requests in flight",
        "short",
        &[(
            "rate(fathom_device_queue_seconds_total{SELECT}RATE)",
            "{{device}}",
        )],
    ),
    (
        "p99 latency (EBS, instance stores)",
        "s",
        &[(
            "histogram_quantile(0.99, rate(fathom_device_latency_seconds_bucket{SELECT}RATE))",
            DEVICE,
        )],
    ),
    (
        "Share of the time above a limit, as EBS counts it",
        "percentunit",
        &[(
            "rate(fathom_device_exceeded_seconds_total{SELECT}RATE)",
            "{{device}} {{limit}}",
        )],
    ),
    (
        "Burst credit left",
        "percentunit",
        &[("fathom_credit_left{SELECT} / fathom_credit_full", "{{of}}")],
    ),
    (
        "Requests per second of control groups with a limit",
        "iops",
        &[(
            "rate(fathom_cgroup_requests_total{SELECT}RATE)",
            "{{cgroup}} {{device}} {{op}}",
        )],
    ),
];

/// Columns and rows of a picture; the page has 24 columns.
const SIZE: (usize, usize) = (12, 8);

/// The dashboard as it is imported.
pub(super) fn dashboard(args: &GrafanaArgs) -> Result<String, Problem> {
    let panels = PANELS
        .iter()
        .enumerate()
        .map(|(index, one)| panel(index, one));
    let hosts = "label_values(fathom_observed_seconds_total, instance)";
    let instances = args.instance.as_ref();
    let instances = instances.map_or_else(String::new, |words| format!("/{words}/"));
    let dashboard = json!({
        "title": args.title,
        "uid": uid(&args.title),
        "tags": ["storage"],
        "editable": true,
        "schemaVersion": 39,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": [
            {"name": "datasource", "type": "datasource", "query": "prometheus"},
            {
                "name": "instance",
                "type": "query",
                "datasource": source(),
                "query": {"query": hosts, "refId": "instance"},
                "regex": instances,
                "includeAll": true,
                "multi": true,
                "current": {"text": "All", "value": "$__all"},
                "refresh": 2,
            },
        ]},
        "panels": panels.collect::<Vec<_>>(),
    });
    let text = serde_json::to_string_pretty(&dashboard).map_err(|error| {
        Problem::new(Exit::Defect, "cannot write the dashboard").because(error.to_string())
    })?;
    Ok(text + "\n")
}

/// What tells one dashboard from another: at most 40 letters, digits and hyphens.
fn uid(title: &str) -> String {
    let letters = title.chars().filter_map(|sign| match sign {
        ' ' => Some('-'),
        sign => sign
            .is_ascii_alphanumeric()
            .then(|| sign.to_ascii_lowercase()),
    });
    let title: String = letters.take(33).collect();
    format!("fathom-{title}")
}

/// Where the numbers come from is chosen in the dashboard.
fn source() -> Value {
    json!({"type": "prometheus", "uid": "${datasource}"})
}

fn panel(index: usize, (title, unit, lines): &Panel) -> Value {
    let (columns, rows) = SIZE;
    let target = |(at, (expr, legend)): (usize, &(&str, &str))| {
        let expr = expr
            .replace("SELECT", "instance=~\"$instance\"")
            .replace("RATE", "[$__rate_interval]");
        json!({"refId": format!("L{at}"), "expr": expr, "legendFormat": legend})
    };
    json!({
        "id": index + 1,
        "type": "timeseries",
        "title": title,
        "datasource": source(),
        "gridPos": {
            "x": index % 2 * columns,
            "y": index / 2 * rows,
            "w": columns,
            "h": rows,
        },
        "fieldConfig": {"defaults": {"unit": unit, "min": 0}, "overrides": []},
        "targets": lines.iter().enumerate().map(target).collect::<Vec<_>>(),
    })
}
