//! The time that processors had no work, as `--idle-prof` tells it: fio keeps a thread at the
//! lowest priority on each and counts its turns; here it is what the kernel counted in the measured
//! time.

use super::Idleness;
use super::value::Value;
use fathom_core::result::RunResult;
use std::collections::BTreeMap;

/// Percent of the measured time by processor.
fn processors(result: &RunResult) -> BTreeMap<u32, f64> {
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for phase in &result.phases {
        let time = phase.measured_ns as f64;
        for processor in &phase.process.processors {
            let (idle, whole) = sums.entry(processor.number).or_default();
            *idle += processor.idle_percent * time;
            *whole += time;
        }
    }
    let mean = |(idle, whole): (f64, f64)| idle / whole.max(1.0);
    sums.into_iter().map(|(n, sum)| (n, mean(sum))).collect()
}

fn mean(all: &BTreeMap<u32, f64>) -> f64 {
    all.values().sum::<f64>() / all.len().max(1) as f64
}

/// For people. There is no thread whose unit of work could be reported.
pub(super) fn lines(result: &RunResult, wanted: Idleness) -> String {
    let all = processors(result);
    let mut text = format!("\nCPU idleness:\n  system: {:.2}%\n", mean(&all));
    if wanted == Idleness::EachProcessor {
        let each: Vec<String> = all.values().map(|idle| format!("{idle:.2}%")).collect();
        text += &format!("  percpu: {}\n", each.join(", "));
    }
    text
}

/// As JSON.
pub(super) fn value(result: &RunResult, wanted: Idleness) -> Value {
    let all = processors(result);
    let mut fields = vec![("system".to_owned(), Value::decimal(mean(&all)))];
    if wanted == Idleness::EachProcessor {
        let each = all.iter();
        fields.extend(each.map(|(n, idle)| (format!("cpu-{n}"), Value::decimal(*idle))));
    }
    let unit = ["unit_mean", "unit_stddev"];
    fields.extend(unit.map(|name| (name.to_owned(), Value::decimal(0.0))));
    Value::Object(fields)
}
