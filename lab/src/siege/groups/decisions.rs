//! Yes and no on little evidence: gates with few runs, and objectives with few events. Simulated
//! storage whose truth is known.

use anyhow::Result;
use serde_json::Value;

use crate::siege::Siege;
use crate::siege::line::GroupLines;

/// Runs of each side with which no interval has a confidence of 95 %.
const FEW: [(u32, u32); 6] = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 3)];
/// Service times of the other side, where the base takes 1 ms: better, alike, and losses.
const SERVICE: [&str; 4] = ["900us", "1ms", "1053us", "2ms"];
/// Objectives, the share of requests that each allows to be slow, and the time of a step.
const OBJECTIVES: [(&str, f64, &str); 4] = [
    ("p90<=5ms", 0.1, "500ms"),
    ("p99<=5ms", 0.01, "1s"),
    ("p99<=5ms", 0.01, "4s"),
    ("p99.9<=8ms", 0.001, "2s"),
];
/// Requests that an event has at least, and events that are needed.
const LEAST: f64 = 320.0;

pub(crate) fn run(siege: &Siege, lines: &mut GroupLines<'_>) -> Result<()> {
    for sizes in FEW {
        for service in SERVICE {
            siege.go_on()?;
            gate(siege, lines, sizes, service, 5)?;
        }
    }
    gate(siege, lines, (4, 4), "1ms", 0)?;
    gate(siege, lines, (4, 4), "2ms", 1)?;
    for objective in OBJECTIVES {
        siege.go_on()?;
        steps(siege, lines, objective)?;
    }
    Ok(())
}

/// A gate with a number of runs of each side.
fn gate(
    siege: &Siege,
    lines: &mut GroupLines<'_>,
    (base, other): (u32, u32),
    service: &str,
    expected: i32,
) -> Result<()> {
    let place = tempfile::tempdir()?;
    let mut words = "compare --metric p50 --gate 5%".to_owned();
    for (side, count, service) in [("a", base, "1ms"), ("b", other, service)] {
        if side == "b" {
            words += " --";
        }
        for number in 0..count {
            let run = format!(
                "run random-read-4k --engine sim --warm-up 0 --time 1s --interval 100ms --quiet \
                 --no-save --sim-service-time {service} --seed {number} -o json:{side}{number}.json"
            );
            siege.fathom.line(&run).inside(place.path()).end()?;
            words.extend([" ", side, &number.to_string(), ".json"]);
        }
    }
    let ended = siege.fathom.line(&words).inside(place.path()).end()?;
    lines.add(
        format!("--gate 5% on {base}+{other} runs, 1 ms against {service}"),
        format!("status {expected}"),
        ended.told(),
        ended.status == Some(expected),
    );
    Ok(())
}

/// A search under an objective: every step that keeps it has the requests for that.
fn steps(
    siege: &Siege,
    lines: &mut GroupLines<'_>,
    (objective, allowed, step): (&str, f64, &str),
) -> Result<()> {
    let place = tempfile::tempdir()?;
    let words = format!(
        "ramp ms-oltp --slo {objective} --engine sim --sim-service-time 1ms --sim-servers 4 \
         --step {step} --quiet --no-save -o json:r.json"
    );
    let ended = siege.fathom.line(&words).inside(place.path()).end()?;
    let text = std::fs::read_to_string(place.path().join("r.json")).unwrap_or_default();
    let json: Value = serde_json::from_str(&text).unwrap_or_default();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let requests = |phase: &Value| -> f64 {
        let jobs = list(&phase["jobs"]);
        let ops = jobs.iter().flat_map(|job| [&job["read"], &job["write"]]);
        ops.filter_map(|op| op["ios"].as_f64()).sum()
    };
    let kept = list(&json["ramp"]["steps"])
        .into_iter()
        .zip(list(&json["phases"]));
    let kept = kept.filter(|(step, _)| step["objectives"] == "pass");
    let least = kept
        .map(|(_, phase)| requests(&phase))
        .fold(f64::INFINITY, f64::min);
    let answer = &json["ramp"]["answer"];
    let is_open = answer["rate"].is_null();
    lines.add(
        format!("ramp --slo {objective} with steps of {step}"),
        format!(
            "kept by steps with {:.0} requests only; a rate, or 5 and the time that decides",
            LEAST / allowed
        ),
        format!("{}; kept by {least:.0} at least; {answer}", ended.told()),
        least >= LEAST / allowed
            && if is_open {
                ended.status == Some(5) && answer["decides_s"].is_number()
            } else {
                ended.status == Some(0)
            },
    );
    Ok(())
}
