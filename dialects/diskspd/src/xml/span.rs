//! The table of what a profile and its time spans say, in the order of the published schema.

use super::element::Element;
use super::read::Reading;
use super::row::{Row, read_all, write_all};
use super::target;
use crate::profile::{Content, Profile, ResultFormat, Target, TimeSpan};
use crate::tracing::{EVENT_CLASSES, EventClass};
use fathom_core::rows;

pub(super) static PROFILE: &[Row<Profile, Profile>] = &[
    Row::new(
        "Progress",
        |reading, element, to| to.progress = reading.number(element),
        |of, slot| slot.put(of.progress),
    ),
    Row::new(
        "ExperimentFlags",
        |reading, element, to| to.experiment_flags = reading.number(element),
        |of, slot| slot.put_some(Some(of.experiment_flags).filter(|flags| *flags != 0)),
    ),
    Row::new(
        "ResultFormat",
        |reading, element, to| to.format = format(reading, element),
        |of, slot| {
            slot.put(match of.format {
                ResultFormat::Text => "text",
                ResultFormat::Xml => "xml",
            });
        },
    ),
    Row::new(
        "Verbose",
        |reading, element, to| to.verbose = reading.boolean(element),
        |of, slot| slot.put(of.verbose),
    ),
    Row::new(
        "VerboseStats",
        |reading, element, to| to.verbose_stats = reading.boolean(element),
        |of, slot| slot.put_if(of.verbose_stats),
    ),
    Row::new(
        "PrecreateFiles",
        |reading, element, to| to.precreate = precreate(reading, element),
        |of, slot| slot.put_some(of.precreate.as_ref()),
    ),
    Row::new(
        "ETW",
        |reading, element, to| to.tracing = tracing(reading, element),
        |of, slot| {
            let classes = EVENT_CLASSES.iter();
            let classes = classes
                .map(|class| Element::with_text(class.element, &of.tracing.contains(&class)));
            if !of.tracing.is_empty() {
                slot.put_all(classes.collect());
            }
        },
    ),
    Row::new(
        "TimeSpans",
        |reading, element, to| to.spans = spans(reading, element),
        |of, slot| {
            let spans = of
                .spans
                .iter()
                .map(|span| write_all(SPAN, "TimeSpan", span));
            slot.put_all(spans.collect());
        },
    ),
];

/// A time span, and what of its buckets is said apart.
struct Draft {
    span: TimeSpan,
    buckets: bool,
    bucket_ms: u32,
    refill: bool,
}

/// Milliseconds of a bucket without a word on it.
const BUCKET_MS: u32 = 1000;

static SPAN: &[Row<Draft, TimeSpan>] = rows! { Row<Draft, TimeSpan>;
    new("CompletionRoutines",
        |reading, element, to| to.span.completion_routines = reading.boolean(element),
        |of, slot| slot.put(of.completion_routines));
    new("MeasureLatency", |reading, element, to| to.span.measure_latency = reading.boolean(element),
        |of, slot| slot.put(of.measure_latency));
    new("CalculateIopsStdDev", |reading, element, to| to.buckets = reading.boolean(element),
        |of, slot| slot.put(of.iops_bucket_ms.is_some()));
    new("DisableAffinity", |reading, element, to| to.span.no_affinity = reading.boolean(element),
        |of, slot| slot.put(of.no_affinity));
    new("Duration", |reading, element, to| to.span.duration_s = reading.number(element),
        |of, slot| slot.put(of.duration_s));
    new("Warmup", |reading, element, to| to.span.warm_up_s = reading.number(element),
        |of, slot| slot.put(of.warm_up_s));
    new("Cooldown", |reading, element, to| to.span.cool_down_s = reading.number(element),
        |of, slot| slot.put(of.cool_down_s));
    new("ThreadCount", |reading, element, to| to.span.threads = reading.number(element),
        |of, slot| slot.put(of.threads));
    new("RequestCount", |reading, element, to| to.span.outstanding = reading.number(element),
        |of, slot| slot.put(of.outstanding));
    new("IoBucketDuration", |reading, element, to| to.bucket_ms = reading.number(element),
        |of, slot| slot.put(of.iops_bucket_ms.unwrap_or(BUCKET_MS)));
    new("RandSeed", |reading, element, to| to.span.seed = reading.number::<u32>(element).into(),
        |of, slot| slot.put(of.seed));
    // DISKSPD reads it and does not write it, which loses `-Zr` on the way through a file.
    new("RandomWriteData", |reading, element, to| to.refill = reading.boolean(element),
        |of, slot| {
            let refilled = |target: &Target| target.content == Content::Random;
            slot.put_if(of.targets.iter().any(refilled));
        });
    // Of old profiles; it says nothing any more.
    read_only("GroupAffinity", |reading, element, _| {
        reading.boolean(element);
    });
    new("Affinity", |reading, element, to| to.span.affinity = affinity(reading, element),
        |of, slot| {
            let assigned = of.affinity.iter().map(|(group, processor)| {
                Element::new("AffinityGroupAssignment")
                    .attribute("Group", group)
                    .attribute("Processor", processor)
            });
            let assigned: Vec<Element> = assigned.collect();
            if !assigned.is_empty() {
                slot.put_all(assigned);
            }
        });
    new("Targets", |reading, element, to| to.span.targets = target::read(reading, element),
        |of, slot| slot.put_all(of.targets.iter().map(target::write).collect()));
};

fn format(reading: &mut Reading<'_>, element: &Element) -> ResultFormat {
    match element.text.as_str() {
        "text" => ResultFormat::Text,
        "xml" => ResultFormat::Xml,
        _ => {
            let message = format!("`{}` is no form of a report", element.text);
            reading.error(element, message, "write `text` or `xml`");
            ResultFormat::Text
        }
    }
}

fn spans(reading: &mut Reading<'_>, element: &Element) -> Vec<TimeSpan> {
    let mut spans = Vec::new();
    for child in &element.children {
        if child.name == "TimeSpan" {
            spans.push(span(reading, child));
        } else {
            reading.unknown(child, "TimeSpans", &["TimeSpan"]);
        }
    }
    spans
}

fn span(reading: &mut Reading<'_>, element: &Element) -> TimeSpan {
    let mut draft = Draft {
        span: TimeSpan::default(),
        buckets: false,
        bucket_ms: BUCKET_MS,
        refill: false,
    };
    read_all(SPAN, reading, element, &mut draft);
    let bucket = Some(draft.bucket_ms).filter(|ms| *ms > 0);
    draft.span.iops_bucket_ms = draft.buckets.then_some(bucket.unwrap_or(BUCKET_MS));
    // Zeros stay zeros, and a buffer is filled once.
    let counting = |target: &&mut Target| draft.refill && target.content == Content::Counting;
    for target in draft.span.targets.iter_mut().filter(counting) {
        target.content = Content::Random;
    }
    if element.find("Targets").is_none() {
        reading.error(element, "the time span has no targets", "add `<Targets>`");
    }
    draft.span
}

/// When files are made, as the schema has it.
const PRECREATE: [&str; 3] = [
    "UseMaxSize",
    "CreateOnlyFilesWithConstantSizes",
    "CreateOnlyFilesWithConstantOrZeroSizes",
];

fn precreate(reading: &mut Reading<'_>, element: &Element) -> Option<String> {
    if !PRECREATE.contains(&element.text.as_str()) {
        let message = format!("`{}` is no way to make files before", element.text);
        let remedy = format!("the ways are {}", PRECREATE.join(", "));
        reading.error(element, message, &remedy);
        return None;
    }
    Some(element.text.clone())
}

fn tracing(reading: &mut Reading<'_>, element: &Element) -> Vec<&'static EventClass> {
    let mut wanted = Vec::new();
    for child in &element.children {
        let class = EVENT_CLASSES
            .iter()
            .find(|class| class.element == child.name);
        match class {
            Some(class) if reading.boolean(child) => wanted.push(class),
            Some(_) => {}
            None => {
                let known: Vec<&str> = EVENT_CLASSES.iter().map(|class| class.element).collect();
                reading.unknown(child, "ETW", &known);
            }
        }
    }
    wanted
}

fn affinity(reading: &mut Reading<'_>, element: &Element) -> Vec<(u16, u8)> {
    const KNOWN: [&str; 2] = ["AffinityGroupAssignment", "AffinityAssignment"];
    let mut list = Vec::new();
    for child in &element.children {
        if !KNOWN.contains(&child.name.as_str()) {
            reading.unknown(child, "Affinity", &KNOWN);
            continue;
        }
        if child.name != element.children[0].name {
            let message = "assignments with groups and without them are mixed";
            reading.error(child, message, "write all of them as the first one");
            continue;
        }
        let is_old = child.name == KNOWN[1];
        let group = reading.number_in(child, child.value("Group").unwrap_or("0"));
        // Old profiles have the processor as the text; left out, it is the first.
        let processor = if is_old {
            child.text.as_str()
        } else {
            child.value("Processor").unwrap_or("0")
        };
        let processor = reading.number_in(child, processor);
        list.push((group, processor));
    }
    if list.is_empty() && element.children.is_empty() {
        reading.error(
            element,
            "no processor is assigned",
            "leave `<Affinity>` out",
        );
    }
    list
}
