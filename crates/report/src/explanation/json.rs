//! For programs.

use fathom_explain::against::{Contrast, Difference};
use fathom_explain::evidence::{Evidence, Latency, Side};
use fathom_explain::explanation::Explanation;
use fathom_explain::finding::Finding;
use fathom_explain::good::Held;
use serde_json::{Value, json};

pub(super) fn render(explanation: &Explanation) -> String {
    let answer = &explanation.answer;
    let reading = &explanation.reading;
    let recognised: Vec<Value> = reading
        .recognised
        .iter()
        .map(|(name, (first, last))| json!({"format": name, "lines": [first, last]}))
        .collect();
    let document = json!({
        "schema": "fathom-explanation",
        "version": 1,
        "headline": answer.headline,
        "findings": answer.findings.iter().map(finding).collect::<Vec<_>>(),
        "notes": answer.notes.iter().map(finding).collect::<Vec<_>>(),
        "how_good": answer.good.iter().map(good).collect::<Vec<_>>(),
        "requirements": answer.held.iter().map(held).collect::<Vec<_>>(),
        "results": reading.evidence.iter().zip(&answer.measured).map(result).collect::<Vec<_>>(),
        "recognised": recognised,
        "ignored_lines": reading.ignored,
        "sources": explanation.sources,
        "against": explanation.contrast.as_ref().map(contrast),
    });
    let mut text = serde_json::to_string_pretty(&document).expect("values are written to memory");
    text.push('\n');
    text
}

fn good((index, sentence): &(usize, String)) -> Value {
    json!({"result": index, "sentence": sentence})
}

fn held((index, held): &(usize, Held)) -> Value {
    json!({"result": index, "met": held.is_met, "sentence": held.sentence})
}

fn contrast(contrast: &Contrast) -> Value {
    let difference = |one: &Difference| {
        json!({
            "code": one.code,
            "first": one.first,
            "second": one.second,
            "explains": one.explains.word(),
            "effect": one.effect,
        })
    };
    json!({
        "measured": contrast.measured,
        "differences": contrast.differences.iter().map(difference).collect::<Vec<_>>(),
        "equal": contrast.equal,
        "not_shown": contrast.unknown,
        "decide": {"tool": contrast.experiment, "fathom": contrast.fathom},
    })
}

fn finding(finding: &Finding) -> Value {
    json!({
        "code": finding.code,
        "certainty": finding.certainty.word(),
        "effect": finding.effect.word(),
        "fault": finding.effect.is_fault(),
        "headline": finding.headline,
        "sentence": finding.sentence,
        "remedy": finding.remedy,
        "decide": {"tool": finding.decide, "fathom": finding.fathom},
        "lines": finding.lines,
        "results": finding.results,
    })
}

fn result((evidence, measured): (&Evidence, &String)) -> Value {
    let load = &evidence.load;
    json!({
        "tool": evidence.tool,
        "format": evidence.format,
        "tool_version": evidence.version,
        "title": evidence.title,
        "lines": [evidence.lines.0, evidence.lines.1],
        "measured": measured,
        "load": {
            "direct": load.direct,
            "block_bytes": load.block,
            "random": load.random,
            "read_percent": load.read_percent,
            "queue_depth": load.depth,
            "jobs": load.jobs,
            "engine": load.engine,
            "size_bytes": load.size,
            "target": load.target,
            "flush_every": load.flush_every,
            "flush_at_end": load.flush_at_end,
            "is_rate_limited": load.is_limited,
            "warm_up_s": load.warm_up_s,
            "command": load.command,
        },
        "sides": evidence.sides.iter().map(side).collect::<Vec<_>>(),
        "flush_ns": evidence.flush.as_ref().map(latency),
        "depth_levels": evidence.depths,
        "cpu_percent": evidence.cpu,
        "context_switches": evidence.switches,
        "runtime_s": evidence.runtime_s,
        "devices": evidence.disks.iter().map(|disk| json!({
            "name": disk.name,
            "reads": disk.requests.0,
            "writes": disk.requests.1,
            "util_percent": disk.util,
        })).collect::<Vec<_>>(),
        "is_cut": evidence.is_cut,
    })
}

fn side(side: &Side) -> Value {
    json!({
        "direction": side.direction.noun(),
        "requests": side.requests,
        "iops": side.iops,
        "bytes_per_second": side.rate,
        "latency_ns": side.latency.as_ref().map(latency),
        "submission_ns": side.submission.as_ref().map(latency),
    })
}

fn latency(latency: &Latency) -> Value {
    json!({
        "min": latency.min,
        "mean": latency.mean,
        "max": latency.max,
        "deviation": latency.deviation,
        "percentiles": latency.percentiles,
    })
}
