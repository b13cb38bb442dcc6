//! A workload as text: the resolved form, every choice written out.

use super::toml_text::{Inline, Lines, List, count, nested, number, quoted, share, text};
use fathom_core::spec::{
    Access, Arrivals, Cursor, CursorScope, Data, Distribution, Durability, Fill, Floor, IoKind,
    Job, JobStop, Pacing, Phase, QueueScope, Replay, Steady, SteadyMetric, Steering, Verify, Walk,
    Workload,
};
use fathom_core::units::Nanos;

/// The text of `workload`: [`parse`](super::parse) makes the same value of it.
pub fn print(workload: &Workload) -> String {
    let Workload {
        name,
        description,
        source,
        seed,
        interval,
        repeat,
        phases,
    } = workload;
    let mut out = Lines::default();
    out.line("name", text(name));
    if !description.is_empty() {
        out.line("description", text(description));
    }
    if !source.is_empty() {
        out.line("source", text(source));
    }
    out.line("seed", count(*seed));
    out.line("interval", quoted(interval));
    out.line("repeat", repeat);
    for phase in phases {
        print_phase(phase, &mut out);
    }
    out.finish()
}

fn print_phase(phase: &Phase, out: &mut Lines) {
    let Phase {
        name,
        warm_up,
        duration,
        cool_down,
        steady,
        jobs,
    } = phase;
    out.header("phase");
    out.line("name", text(name));
    out.line("warm_up", quoted(warm_up));
    out.line_if("duration", duration.map(quoted));
    out.line("cool_down", quoted(cool_down));
    out.line_if("steady", steady.as_ref().map(steady_table));
    for job in jobs {
        print_job(job, out);
    }
}

fn steady_table(steady: &Steady) -> Inline {
    let Steady {
        metric,
        round,
        rounds,
        range,
        slope,
        deviation,
        max_rounds,
    } = steady;
    let metric = match metric {
        SteadyMetric::Iops => "iops",
        SteadyMetric::Throughput => "throughput",
        SteadyMetric::ServiceTime => "service_time",
    };
    Inline::default()
        .with("metric", text(metric))
        .with("round", quoted(round))
        .with("rounds", rounds)
        .with("range", share(*range))
        .with("slope", share(*slope))
        .with_if("deviation", deviation.map(share))
        .with("max_rounds", max_rounds)
}

fn replay_table(replay: &Replay) -> Inline {
    let Replay {
        trace,
        speed,
        shrink,
        align,
        without,
    } = replay;
    let names: Vec<String> = without.iter().map(|op| text(op.name())).collect();
    Inline::default()
        .with("trace", text(trace))
        .with_if("speed", speed.map(|speed| number(speed.0)))
        .with_if("shrink", (*shrink != 1).then(|| count(*shrink)))
        .with_if("align", align.map(quoted))
        .with_if(
            "without",
            (!names.is_empty()).then(|| format!("[{}]", names.join(", "))),
        )
}

fn print_job(job: &Job, out: &mut Lines) {
    let Job {
        name,
        targets,
        threads,
        queue_depth,
        queue_scope,
        size,
        offset,
        window,
        fresh,
        cold,
        warm,
        access,
        pacing,
        after,
        delay,
        replay,
        durability,
        data,
        verify,
        stop,
        kinds,
    } = job;
    out.header("phase.job");
    out.line("name", text(name));
    if !targets.is_empty() {
        let list: Vec<String> = targets.iter().map(|target| text(target)).collect();
        out.line("targets", format!("[{}]", list.join(", ")));
    }
    out.line("threads", threads);
    out.line("queue_depth", queue_depth);
    let scope = match queue_scope {
        QueueScope::PerTarget => "per_target",
        QueueScope::Shared => "shared",
    };
    out.line("queue_scope", text(scope));
    out.line_if("size", size.map(quoted));
    out.line("offset", quoted(offset));
    out.line_if("window", window.map(quoted));
    out.line_if("fresh", fresh.then_some(true));
    out.line_if("cold", cold.then_some(true));
    out.line_if("warm", warm.then_some(true));
    out.line("access", access_table(access));
    out.line("pacing", pacing_form(pacing));
    out.line_if("after", after.as_deref().map(text));
    out.line_if("delay", (delay.0 > 0).then(|| quoted(delay)));
    out.line_if("replay", replay.as_ref().map(replay_table));
    out.line("durability", durability_table(durability));
    out.line("data", data_table(data));
    let verify = match verify {
        Verify::Off => "off",
        Verify::Stamp => "stamp",
        Verify::Check => "check",
        Verify::ReadBack => "read_back",
    };
    out.line("verify", text(verify));
    if *stop != JobStop::default() {
        let table = Inline::default()
            .with_if("bytes", stop.bytes.map(quoted))
            .with_if("ios", stop.ios.map(count))
            .with_if("time", stop.time.map(quoted))
            .with_if("floor", stop.floor.as_ref().map(floor_table));
        out.line("stop", table);
    }
    out.line("io", List(kinds.iter().map(io).collect()));
}

fn floor_table(floor: &Floor) -> Inline {
    let Floor { ios, bytes, over } = floor;
    Inline::default()
        .with_if("ios", ios.map(count))
        .with_if("bytes", bytes.map(quoted))
        .with("over", quoted(over))
}

fn io(kind: &IoKind) -> Inline {
    let IoKind {
        op,
        block_size,
        random,
        align,
        weight,
    } = kind;
    Inline::default()
        .with("op", text(op.name()))
        .with("block_size", quoted(block_size))
        .with("random", share(*random))
        .with("align", quoted(align))
        .with("weight", number(*weight))
}

fn access_table(access: &Access) -> Inline {
    let Access {
        distribution,
        without_repetition,
        stride,
        cursor,
        cursor_scope,
        walk,
    } = access;
    let cursor = match cursor {
        Cursor::Shared => text("shared"),
        Cursor::Own { stride: None } => text("own"),
        Cursor::Own {
            stride: Some(stride),
        } => nested("own", &Inline::default().with("stride", quoted(stride))),
    };
    let scope = match cursor_scope {
        CursorScope::PerOp => "per_op",
        CursorScope::Shared => "shared",
    };
    Inline::default()
        .with("distribution", distribution_form(distribution))
        .with("without_repetition", without_repetition)
        .with_if("stride", stride.map(quoted))
        .with("cursor", cursor)
        .with("cursor_scope", text(scope))
        .with_if("walk", walk_form(*walk))
}

fn walk_form(walk: Walk) -> Option<String> {
    match walk {
        Walk::Free => None,
        Walk::TrimFirst => Some(text("trim_first")),
        Walk::Zones { done, length, skip } => {
            let zones = Inline::default()
                .with("done", quoted(done))
                .with("length", quoted(length))
                .with("skip", quoted(skip));
            Some(nested("zones", &zones))
        }
    }
}

fn distribution_form(distribution: &Distribution) -> String {
    let inline = Inline::default();
    match distribution {
        Distribution::Uniform => text("uniform"),
        Distribution::Zipf { theta } => nested("zipf", &inline.with("theta", number(*theta))),
        Distribution::Pareto { h } => nested("pareto", &inline.with("h", number(*h))),
        Distribution::Normal { deviation } => {
            nested("normal", &inline.with("deviation", share(*deviation)))
        }
        Distribution::Hot { ranges } => {
            let range = |range: &fathom_core::spec::HotRange| {
                Inline::default()
                    .with("ios", share(range.ios))
                    .with("of", share(range.of))
                    .to_string()
            };
            let ranges: Vec<String> = ranges.iter().map(range).collect();
            nested(
                "hot",
                &inline.with("ranges", format!("[{}]", ranges.join(", "))),
            )
        }
    }
}

fn pacing_form(pacing: &Pacing) -> String {
    let inline = Inline::default();
    match pacing {
        Pacing::Closed { think, burst } if *think == Nanos::ZERO && *burst == 1 => text("closed"),
        Pacing::Closed { think, burst } => {
            let table = inline
                .with("think", quoted(think))
                .with("burst", count(*burst));
            nested("closed", &table)
        }
        Pacing::Open { rate, arrivals } => {
            let arrivals = match arrivals {
                Arrivals::Constant => "constant",
                Arrivals::Poisson => "poisson",
            };
            let table = inline
                .with("rate", quoted(rate))
                .with("arrivals", text(arrivals));
            nested("open", &table)
        }
        Pacing::Cyclic { every, bytes } => {
            let table = inline
                .with("every", quoted(every))
                .with("bytes", quoted(bytes));
            nested("cyclic", &table)
        }
        Pacing::Triggered { bytes } => nested("triggered", &inline.with("bytes", quoted(bytes))),
        Pacing::Steered(steering) => nested("steered", &steering_table(steering)),
    }
}

fn steering_table(steering: &Steering) -> Inline {
    let Steering {
        within,
        share: least,
        window,
        follow,
    } = steering;
    Inline::default()
        .with("within", quoted(within))
        .with("share", share(*least))
        .with("window", quoted(window))
        .with_if("follow", follow.then_some(true))
}

fn durability_table(durability: &Durability) -> Inline {
    let Durability {
        direct,
        write_through,
        sync,
    } = durability;
    let sync = sync.map(|sync| {
        Inline::default()
            .with("writes", sync.writes)
            .with("data_only", sync.data_only)
    });
    Inline::default()
        .with("direct", direct)
        .with("write_through", write_through)
        .with_if("sync", sync)
}

fn data_table(data: &Data) -> Inline {
    let Data {
        fill,
        compressible_to,
        duplicate,
    } = data;
    let fill = match fill {
        Fill::Zero => "zero".to_owned(),
        Fill::Random => "random".to_owned(),
        Fill::Counting => "counting".to_owned(),
        Fill::Pattern(pattern) => format!("{}{pattern}", super::job::PATTERN),
    };
    Inline::default()
        .with("fill", text(&fill))
        .with("compressible_to", share(*compressible_to))
        .with("duplicate", share(*duplicate))
}
