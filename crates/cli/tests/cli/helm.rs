//! The chart of `deploy/helm` makes the objects of `fathom generate kubernetes`.

use crate::kubernetes::{documents, parse};
use fathom_testing::skip;
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::process::Command;

const CHART: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/helm/fathom");

/// What helm prints, for the oldest Kubernetes that the chart takes; `None` without helm.
fn helm(words: &[&str], values: &Value) -> Option<Result<String, String>> {
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), values.to_string()).expect("values");
    let mut command = Command::new("helm");
    command
        .args(words)
        .arg(CHART)
        .arg("--values")
        .arg(file.path());
    let output = match command.args(["--kube-version", "1.29.0"]).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            skip("helm is not installed");
            return None;
        }
        output => output.expect("helm starts"),
    };
    let text = |bytes| String::from_utf8(bytes).expect("text");
    Some(if output.status.success() {
        Ok(text(output.stdout))
    } else {
        Err(text(output.stderr))
    })
}

/// The order of objects has no meaning, and each secret is another.
fn compared(mut documents: Vec<Value>) -> Vec<Value> {
    for document in &mut documents {
        if document["kind"] == "Secret" {
            let token = document["stringData"]["token"].take();
            assert_eq!(token.as_str().map(str::len), Some(64));
        }
    }
    documents.sort_by_key(|document| document["kind"].to_string());
    documents
}

#[test]
fn each_option_is_a_value() {
    let run = json!(["pg-oltp", "--time", "60s"]);
    let cases = [
        (
            "--storage-class fast -- pg-oltp --time 60s",
            json!({"image": "fathom:1", "run": run, "storageClass": "fast"}),
        ),
        (
            "--storage-class nfs --shared-volume --volume 1Ti --members 65536 --name many --cpu \
             500m --memory 2Gi --node-selector disk=nvme --toleration \
             storage=only:NoSchedule --toleration spot --deadline 30d --keep 2h --results-claim \
             results -- pg-oltp --time 60s",
            json!({
                "image": "fathom:1",
                "run": run,
                "storageClass": "nfs",
                "sharedVolume": true,
                "volume": "1Ti",
                "members": 65536,
                "cpu": "500m",
                "memory": "2Gi",
                "nodeSelector": {"disk": "nvme"},
                "tolerations": [
                    {"key": "storage", "operator": "Equal", "value": "only",
                        "effect": "NoSchedule"},
                    {"key": "spot", "operator": "Exists"},
                ],
                "deadlineSeconds": 2_592_000,
                "keepSeconds": 7200,
                "resultsClaim": "results",
            }),
        ),
        (
            "--claim lustre --secret kept --io-uring profiles/io_uring.json -- pg-oltp --time 60s",
            json!({
                "image": "fathom:1",
                "run": run,
                "claim": "lustre",
                "secret": "kept",
                "ioUring": "profiles/io_uring.json",
            }),
        ),
    ];
    for (words, values) in cases {
        let name = if words.contains("--name many") {
            "many"
        } else {
            "fathom"
        };
        let Some(printed) = helm(&["template", name], &values) else {
            return;
        };
        let text = printed.expect(words);
        assert_eq!(
            compared(parse(&text)),
            compared(documents(words)),
            "{words}"
        );
    }
}

#[test]
fn the_linter_finds_nothing() {
    let values = json!({"image": "fathom:1", "run": ["pg-oltp"], "storageClass": "fast"});
    if let Some(printed) = helm(&["lint", "--strict", "--quiet"], &values) {
        assert_eq!(printed, Ok(String::new()));
    }
}

#[test]
fn values_that_are_missing_are_named() {
    let cases = [
        (
            json!({}),
            "image is missing: the container image with fathom",
        ),
        (
            json!({"image": "fathom:1"}),
            "run is missing: the workload and options of fathom run",
        ),
        (
            json!({"image": "fathom:1", "run": ["pg-oltp"]}),
            "storageClass is missing: the storage class to measure, or claim",
        ),
        (
            json!({"image": "fathom:1", "run": ["pg-oltp"], "storageClass": "a", "claim": "b"}),
            "claim excludes storageClass and sharedVolume: give one of them",
        ),
    ];
    for (values, cause) in cases {
        let Some(printed) = helm(&["template", "fathom"], &values) else {
            return;
        };
        let text = printed.expect_err(cause);
        let line = text.lines().next().and_then(|line| line.split_once("): "));
        assert_eq!(line.map(|(_, told)| told), Some(cause));
    }
}

/// What is released together has one version.
#[test]
fn the_chart_has_the_version_of_the_program() {
    let chart = std::fs::read_to_string(format!("{CHART}/Chart.yaml")).expect("the chart");
    let version = chart
        .lines()
        .find_map(|line| line.strip_prefix("version: "));
    assert_eq!(version, Some(env!("CARGO_PKG_VERSION")));
}
