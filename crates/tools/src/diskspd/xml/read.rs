//! A profile from XML.

use super::element::Element;
use super::target;
use crate::diagnostic::Diagnostic;
use crate::diskspd::profile::{Profile, ResultFormat, TimeSpan};
use crate::diskspd::source::{At, Source};
use crate::faults::Faults;
use crate::nearest::nearest;

/// What is wrong, and where.
pub(super) struct Reading<'a> {
    pub(super) source: &'a Source,
    pub(super) errors: Faults,
}

/// Reads a profile, or that of a result.
///
/// # Errors
///
/// All that is not a profile in it.
pub(in crate::diskspd) fn read(
    text: &str,
    file: &str,
) -> Result<(Profile, Source), Vec<Diagnostic>> {
    // Windows likes to begin a file with the mark of its encoding.
    let text = text.trim_start_matches('\u{feff}');
    let plain = Source::elements(file, text, Vec::new());
    let root = Element::parse(text).map_err(|found| {
        let line_end = text[found.at..].find(['\n', '\r']).unwrap_or(0).min(1);
        let place = found.at..found.at + line_end.min(text.len() - found.at);
        let place = if text.is_char_boundary(place.end) {
            place
        } else {
            found.at..found.at
        };
        vec![plain.error(place, found.message, "a profile as `-Rpxml` shows it")]
    })?;
    let profile = match root.name.as_str() {
        "Profile" => Some(&root),
        "Results" => root.find("Profile"),
        _ => None,
    };
    let Some(element) = profile else {
        let message = format!("`<{}>` is no profile", root.name);
        let remedy = "the root is `<Profile>`, or `<Results>` with one in it";
        return Err(vec![plain.error(root.place.clone(), message, remedy)]);
    };
    let source = Source::elements(file, text, places(element));
    let mut reading = Reading {
        source: &source,
        errors: Faults::default(),
    };
    let profile = reading.profile(element);
    let errors = reading.errors;
    if errors.is_empty() {
        Ok((profile, source))
    } else {
        Err(errors.into_vec())
    }
}

/// The place of every element, by the part of the profile that it is in.
fn places(profile: &Element) -> Vec<(At, String, std::ops::Range<usize>)> {
    fn below(element: &Element, at: At, list: &mut Vec<(At, String, std::ops::Range<usize>)>) {
        list.push((at, element.name.clone(), element.place.clone()));
        let (mut spans, mut targets) = (0, 0);
        for child in &element.children {
            let at = match child.name.as_str() {
                "TimeSpan" => {
                    spans += 1;
                    At::span(spans - 1)
                }
                "Target" => {
                    targets += 1;
                    At::target(at.span, targets - 1)
                }
                _ => at,
            };
            below(child, at, list);
        }
    }
    let mut list = Vec::new();
    below(profile, At::default(), &mut list);
    list
}

impl Reading<'_> {
    pub(super) fn error(&mut self, element: &Element, message: impl Into<String>, remedy: &str) {
        let error = self.source.error(element.place.clone(), message, remedy);
        self.errors.push(error);
    }

    pub(super) fn unknown(&mut self, element: &Element, parent: &str, known: &[&str]) {
        let near = nearest(&element.name, known.iter().copied());
        let remedy = near.map_or_else(String::new, |near| format!("did you mean `<{near}>`?"));
        let message = format!("`<{}>` does not belong into `<{parent}>`", element.name);
        self.error(element, message, &remedy);
    }

    pub(super) fn boolean(&mut self, element: &Element) -> bool {
        match element.text.as_str() {
            "true" | "1" => true,
            "false" | "0" => false,
            other => {
                let message = format!("`{other}` is neither true nor false");
                self.error(element, message, "write `true` or `false`");
                false
            }
        }
    }

    pub(super) fn number<N: TryFrom<u64> + Default>(&mut self, element: &Element) -> N {
        self.number_in(element, &element.text)
    }

    pub(super) fn number_in<N: TryFrom<u64> + Default>(
        &mut self,
        element: &Element,
        text: &str,
    ) -> N {
        let number = text.parse::<u64>().ok().and_then(|n| N::try_from(n).ok());
        number.unwrap_or_else(|| {
            let message = format!("`{text}` is no number that `<{}>` can have", element.name);
            self.error(
                element,
                message,
                "write a whole number that is not too large",
            );
            N::default()
        })
    }

    fn profile(&mut self, element: &Element) -> Profile {
        const KNOWN: [&str; 8] = [
            "Progress",
            "ExperimentFlags",
            "ResultFormat",
            "Verbose",
            "VerboseStats",
            "PrecreateFiles",
            "ETW",
            "TimeSpans",
        ];
        let mut profile = Profile::default();
        for child in &element.children {
            match child.name.as_str() {
                "Progress" => profile.progress = self.number(child),
                "ExperimentFlags" => profile.experiment_flags = self.number(child),
                "ResultFormat" => profile.format = self.format(child),
                "Verbose" => profile.verbose = self.boolean(child),
                "VerboseStats" => profile.verbose_stats = self.boolean(child),
                "PrecreateFiles" => profile.precreate = Some(child.text.clone()),
                "ETW" => {
                    let wanted = child.children.iter().filter(|class| class.text == "true");
                    profile.tracing = wanted.map(|class| class.name.clone()).collect();
                }
                "TimeSpans" => profile.spans = self.spans(child),
                _ => self.unknown(child, "Profile", &KNOWN),
            }
        }
        if profile.spans.is_empty() {
            self.error(
                element,
                "the profile has no time span",
                "add a `<TimeSpan>`",
            );
        }
        profile
    }

    fn format(&mut self, element: &Element) -> ResultFormat {
        match element.text.to_ascii_lowercase().as_str() {
            "text" => ResultFormat::Text,
            "xml" => ResultFormat::Xml,
            _ => {
                let message = format!("`{}` is no form of a report", element.text);
                self.error(element, message, "write `text` or `xml`");
                ResultFormat::Text
            }
        }
    }

    fn spans(&mut self, element: &Element) -> Vec<TimeSpan> {
        let mut spans = Vec::new();
        for child in &element.children {
            if child.name == "TimeSpan" {
                spans.push(self.span(child));
            } else {
                self.unknown(child, "TimeSpans", &["TimeSpan"]);
            }
        }
        spans
    }

    fn span(&mut self, element: &Element) -> TimeSpan {
        const KNOWN: [&str; 13] = [
            "CompletionRoutines",
            "MeasureLatency",
            "CalculateIopsStdDev",
            "DisableAffinity",
            "Duration",
            "Warmup",
            "Cooldown",
            "ThreadCount",
            "RequestCount",
            "IoBucketDuration",
            "RandSeed",
            "Affinity",
            "Targets",
        ];
        let mut span = TimeSpan::default();
        let (mut buckets, mut bucket_ms) = (false, 1000);
        for child in &element.children {
            match child.name.as_str() {
                "CompletionRoutines" => span.completion_routines = self.boolean(child),
                "MeasureLatency" => span.measure_latency = self.boolean(child),
                "CalculateIopsStdDev" => buckets = self.boolean(child),
                "DisableAffinity" => span.no_affinity = self.boolean(child),
                "Duration" => span.duration_s = self.number(child),
                "Warmup" => span.warm_up_s = self.number(child),
                "Cooldown" => span.cool_down_s = self.number(child),
                "ThreadCount" => span.threads = self.number(child),
                "RequestCount" => span.outstanding = self.number(child),
                "IoBucketDuration" => bucket_ms = self.number(child),
                "RandSeed" => span.seed = self.number(child),
                "Affinity" => span.affinity = self.affinity(child),
                "Targets" => span.targets = target::targets(self, child),
                _ => self.unknown(child, "TimeSpan", &KNOWN),
            }
        }
        span.iops_bucket_ms = buckets.then_some(if bucket_ms == 0 { 1000 } else { bucket_ms });
        span
    }

    fn affinity(&mut self, element: &Element) -> Vec<(u16, u8)> {
        const KNOWN: [&str; 3] = [
            "AffinityGroupAssignment",
            "AffinityAssignment",
            "GroupAffinity",
        ];
        let mut list = Vec::new();
        for child in &element.children {
            if !KNOWN.contains(&child.name.as_str()) {
                self.unknown(child, "Affinity", &KNOWN);
                continue;
            }
            let group = self.number_in(child, child.value("Group").unwrap_or("0"));
            // Old profiles have the processor as the text.
            let processor = child.value("Processor").unwrap_or(&child.text);
            let processor = self.number_in(child, processor);
            list.push((group, processor));
        }
        list
    }
}
