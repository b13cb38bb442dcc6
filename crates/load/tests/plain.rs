//! The plain path of the loop has nothing for single requests that only other programs ask for.

#[path = "scenarios/scenario.rs"]
#[expect(dead_code, reason = "the scenarios use more of it")]
mod scenario;

use fathom_core::Nanos;
use fathom_core::spec::fields::{COMPAT, Field, Kind};
use fathom_core::spec::{Compat, Job};
use fathom_engine::EngineConfig;
use fathom_load::request::Window;
use fathom_load::targets::JobTargets;
use scenario::{Scenario, job};
use serde_json::{Value, json};

/// Whether the only thread of a job takes the plain path.
fn is_plain(job: Job) -> bool {
    let scenario = Scenario::new(job, Nanos::ZERO);
    let targets = [JobTargets {
        open: Vec::new(),
        paths: vec!["none".to_owned()],
        windows: vec![Window {
            start: 0,
            len: 1 << 20,
        }],
        numbers: vec![0],
        ..JobTargets::default()
    }];
    let plan = scenario.plan(&scenario.workload.phases[0], &targets);
    let assembly = plan.assemble(EngineConfig::default());
    let mut workers = assembly.workers.iter();
    workers.any(|worker| worker.parts.is_plain())
}

/// A value that a field does not have by default.
fn other(field: &Field) -> Value {
    match &field.kind {
        Kind::Flag => true.into(),
        Kind::SmallCount | Kind::Size => 4096.into(),
        Kind::Time => "4ms".into(),
        Kind::SmallCounts => json!([4096]),
        Kind::Word(words) => words[words.len() - 1].word.into(),
        Kind::Table(group) if group.name == "data_file" => {
            json!({ "path": "content", "size": 4096 })
        }
        kind => panic!("no value of {kind:?} for {}", field.name),
    }
}

#[test]
fn fields_for_other_programs_leave_the_plain_path_where_requests_depend_on_them() {
    let plain = job("plain");
    assert!(is_plain(plain.clone()));
    let with = |compat: Compat| Job {
        compat: compat.boxed(),
        ..plain.clone()
    };
    assert!(is_plain(with(Compat::default())));
    for field in COMPAT.fields {
        let compat = json!({ field.name: other(field) });
        let compat: Compat = serde_json::from_value(compat).expect(field.name);
        assert_ne!(compat, Compat::default(), "{}", field.name);
        let is_prepared = ["uncut", "cold_again", "read_ahead"].contains(&field.name);
        assert_eq!(is_plain(with(compat)), is_prepared, "{}", field.name);
    }
}
