//! `fathom generate prometheus-rules`: alerts for the metrics of `fathom watch --listen`.

use super::yaml;
use crate::args::PrometheusRulesArgs;
use fathom_core::Nanos;
use serde_json::{Value, json};

/// An alert: its name, its expression, how long it has to hold, and what it says. `CREDIT` and
/// `LATENCY` stand for thresholds in seconds.
struct Alert {
    name: &'static str,
    expr: &'static str,
    lasts: &'static str,
    severity: &'static str,
    summary: &'static str,
    description: &'static str,
}

const ALERTS: [Alert; 5] = [
    Alert {
        name: "FathomStorageThrottled",
        // Of five minutes, so that one interval without the cause does not end the alert.
        expr: "rate(fathom_throttled_seconds_total\
               {by=~\"volume|instance|cap|credit|control_group\"}[5m]) > 0.9",
        lasts: "0s",
        severity: "warning",
        summary: "The storage of {{ $labels.instance }} is limited: {{ $labels.by }}",
        description: "The limit held in {{ $value | humanizePercentage }} of the last 5 minutes. \
                      Run `fathom throttled` on the host for the numbers.",
    },
    Alert {
        name: "FathomBurstCreditRunsOut",
        expr: "fathom_credit_empty_seconds < CREDIT",
        lasts: "5m",
        severity: "warning",
        summary: "Burst credit of {{ $labels.instance }} will soon be used up",
        description: "At the present rate it lasts {{ $value | humanizeDuration }}. Then the \
                      storage has its base rate only.",
    },
    Alert {
        name: "FathomRequestsHang",
        expr: "min_over_time(fathom_device_in_flight[5m]) > 0 and \
               sum without (op) (rate(fathom_device_requests_total[5m])) == 0",
        lasts: "1m",
        severity: "critical",
        summary: "Requests to {{ $labels.device }} of {{ $labels.instance }} do not complete",
        description: "{{ $value }} requests were in flight for 5 minutes, and none completed. \
                      Check the path to the device and the kernel's log.",
    },
    Alert {
        name: "FathomLatencyHigh",
        expr: "histogram_quantile(0.99, sum without (op) \
               (rate(fathom_device_latency_seconds_bucket[5m]))) > LATENCY",
        lasts: "5m",
        severity: "warning",
        summary: "The p99 latency of {{ $labels.device }} on {{ $labels.instance }} is high",
        description: "It is {{ $value | humanizeDuration }}, as the EBS volume or the instance \
                      store itself counts.",
    },
    Alert {
        name: "FathomMonitorStalled",
        expr: "rate(fathom_observed_seconds_total[5m]) == 0",
        lasts: "5m",
        severity: "warning",
        summary: "fathom watch on {{ $labels.instance }} observes nothing",
        description: "It answers with old numbers. Check its log, and whether its devices are \
                      there.",
    },
];

/// A file for `rule_files` of Prometheus.
pub(super) fn rules(args: &PrometheusRulesArgs) -> String {
    let rules: Vec<Value> = ALERTS.iter().map(|alert| alert.rule(args)).collect();
    yaml::document(&json!({"groups": [{"name": "fathom", "rules": rules}]}))
}

impl Alert {
    fn rule(&self, args: &PrometheusRulesArgs) -> Value {
        let seconds = |time: Nanos| (time.0 as f64 / 1e9).to_string();
        let expr = self.expr.replace("CREDIT", &seconds(args.credit));
        json!({
            "alert": self.name,
            "expr": expr.replace("LATENCY", &seconds(args.latency)),
            "for": self.lasts,
            "labels": {"severity": self.severity},
            "annotations": {"summary": self.summary, "description": self.description},
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::grafana::dashboard;
    use super::*;
    use crate::args::GrafanaArgs;
    use std::collections::BTreeSet;
    use yaml_rust2::{Yaml, YamlLoader};

    /// What `/metrics` prints if everything is known.
    const PAGE: &str = include_str!(
        "../../../../report/src/snapshots/\
         fathom_report__exposition__tests__exposition-text.snap"
    );

    /// Names of metrics in a text.
    fn names(text: &str) -> BTreeSet<String> {
        let words = text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_');
        let names = words.filter(|word| word.starts_with("fathom_"));
        names.map(str::to_owned).collect()
    }

    fn printed() -> BTreeSet<String> {
        let samples = PAGE.lines().filter(|line| line.starts_with("fathom_"));
        samples
            .flat_map(|line| names(line.split(['{', ' ']).next().unwrap_or_default()))
            .collect()
    }

    fn unknown(text: &str) -> Vec<String> {
        names(text).difference(&printed()).cloned().collect()
    }

    #[test]
    fn alerts_name_metrics_that_are_printed() {
        let args = PrometheusRulesArgs {
            latency: Nanos::from_millis(20),
            credit: Nanos::from_secs(7200),
        };
        let all = YamlLoader::load_from_str(&rules(&args)).expect("YAML");
        let rules = all[0]["groups"][0]["rules"].as_vec().expect("a list");
        let expr = |rule: &Yaml| rule["expr"].as_str().expect("an expression").to_owned();
        let exprs: Vec<String> = rules.iter().map(expr).collect();
        assert_eq!(exprs.len(), ALERTS.len());
        assert_eq!(exprs[1], "fathom_credit_empty_seconds < 7200");
        for expr in exprs {
            assert_eq!(
                (unknown(&expr), names(&expr).is_empty()),
                (Vec::new(), false),
                "{expr}"
            );
        }
    }

    #[test]
    fn panels_name_metrics_that_are_printed() {
        let args = GrafanaArgs {
            title: "Storage: \"db\"".to_owned(),
            instance: Some("db.*".to_owned()),
        };
        let text = dashboard(&args).expect("JSON");
        let dashboard: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(
            (&dashboard["title"], &dashboard["uid"]),
            (&"Storage: \"db\"".into(), &"fathom-storage-db".into())
        );
        let panels = dashboard["panels"].as_array().expect("a list");
        for panel in panels {
            for target in panel["targets"].as_array().expect("a list") {
                let expr = target["expr"].as_str().expect("an expression");
                assert_eq!(
                    (unknown(expr), names(expr).is_empty()),
                    (Vec::new(), false),
                    "{expr}"
                );
            }
        }
        assert_eq!(
            (panels.len(), unknown(&dashboard["templating"].to_string())),
            (10, Vec::new())
        );
    }

    /// The words of causes in the alerts are those of the metrics.
    #[test]
    fn causes_are_those_that_are_printed() {
        let expr = ALERTS[0].expr;
        let words = expr.split('"').nth(1).expect("words").split('|');
        let is_unknown = |word: &&str| {
            !PAGE.lines().any(|line| {
                line.starts_with(&format!("fathom_throttled_seconds_total{{by=\"{word}\"}}"))
            })
        };
        assert_eq!(
            words.filter(is_unknown).collect::<Vec<_>>(),
            Vec::<&str>::new()
        );
    }
}
