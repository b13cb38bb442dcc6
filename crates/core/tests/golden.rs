//! Results that were written once must be read for ever, and stay what they are.
//!
//! The documents in `golden/` are never changed. A new field is optional and left out when it is
//! absent; a change that these tests do not survive raises `SCHEMA_VERSION` and adds a document.

use fathom_core::result::{ResultError, RunResult};
use serde_json::Value;

/// Every field, every kind of job, phase and load.
const COMPLETE: &str = include_str!("golden/result-v1.json");
/// No field that may be left out.
const MINIMAL: &str = include_str!("golden/result-v1-minimal.json");

#[test]
fn old_results_are_read_and_written_back_as_they_were() {
    for text in [COMPLETE, MINIMAL] {
        let result = RunResult::from_json(text).expect("an old result");
        assert_eq!(result.to_json(), text);
    }
}

#[test]
fn stored_histograms_hold_every_request() {
    let result = RunResult::from_json(COMPLETE).expect("an old result");
    let mut checked = 0;
    for (_, op) in result
        .phases
        .iter()
        .flat_map(|phase| &phase.jobs)
        .flat_map(|job| job.ops.present())
    {
        let stored = op
            .service_histogram
            .as_ref()
            .expect("the document has them all");
        let histogram = stored.decode().expect("an undamaged histogram");
        assert_eq!(histogram.len(), op.ios);
        let summary = histogram.summary();
        assert_eq!(
            summary.percentiles.keys().collect::<Vec<_>>(),
            op.service_ns.percentiles.keys().collect::<Vec<_>>()
        );
        checked += 1;
    }
    assert_eq!(checked, 6);
}

/// The names that scripts may rely on.
#[test]
fn the_promised_names_are_where_they_were_promised() {
    let document: Value = serde_json::from_str(COMPLETE).expect("JSON");
    let mut missing = Vec::new();
    let mut look = |pointer: String| {
        if document.pointer(&pointer).is_none() {
            missing.push(pointer);
        }
    };
    for name in [
        "schema_version",
        "run_id",
        "state",
        "provenance",
        "phases/0/intervals/0",
    ] {
        look(format!("/{name}"));
    }
    for name in ["code", "level", "message"] {
        look(format!("/caveats/0/{name}"));
    }
    for op in ["read", "write", "trim"] {
        for name in ["ios", "bytes", "iops", "bytes_per_second", "errors"] {
            look(format!("/phases/0/jobs/0/{op}/{name}"));
        }
        for times in ["service_ns", "response_ns"] {
            for name in ["mean", "stddev", "min", "max", "percentiles/50"] {
                look(format!("/phases/0/jobs/0/{op}/{times}/{name}"));
            }
        }
    }
    look("/phases/0/jobs/0/name".to_owned());
    assert_eq!(missing, Vec::<String>::new());
}

#[test]
fn a_newer_document_is_refused_with_both_versions() {
    let newer = MINIMAL.replace("\"schema_version\": 1", "\"schema_version\": 2");
    let error = RunResult::from_json(&newer).expect_err("a newer document");
    assert!(matches!(error, ResultError::TooNew { found: 2 }));
    assert_eq!(
        error.to_string(),
        "the result has schema version 2, this program reads up to 1; use the fathom that wrote \
         it, or a newer one"
    );
}

#[test]
fn what_is_no_result_is_refused_with_the_place() {
    let error = RunResult::from_json("{\"jobs\": []}").expect_err("another program's JSON");
    assert_eq!(
        error.to_string(),
        "not a result of fathom: missing field `schema_version` at line 1 column 12"
    );
}
