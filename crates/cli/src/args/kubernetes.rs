//! `fathom generate kubernetes`.

use clap::Args;
use fathom_core::Nanos;
use std::str::FromStr;

/// Longest name: with `-65535` it is the host name of a pod, which has at most 63 letters.
const NAME_LENGTH_MAX: usize = 57;

/// Values of the Kubernetes manifests.
#[derive(Args, Debug)]
pub(crate) struct KubernetesArgs {
    /// Container image with fathom as its entry point
    #[arg(long, value_name = "IMAGE", value_parser = image)]
    pub(crate) image: String,
    /// Storage class to measure; each pod gets one volume
    #[arg(long, value_name = "CLASS", value_parser = dns_name)]
    #[arg(required_unless_present = "claim", conflicts_with = "claim")]
    pub(crate) storage_class: Option<String>,
    /// All pods use one volume of the storage class, with access mode ReadWriteMany
    #[arg(long, conflicts_with = "claim")]
    pub(crate) shared_volume: bool,
    /// Existing claim (ReadWriteMany) that all pods use instead of a new volume
    ///
    /// If the driver supports fsGroup, Kubernetes may change the group of all files to 65532 once.
    #[arg(long, value_name = "NAME", value_parser = dns_name)]
    pub(crate) claim: Option<String>,
    /// Size of each volume, as a Kubernetes quantity
    #[arg(long, value_name = "QUANTITY", default_value = "20Gi", value_parser = quantity)]
    #[arg(conflicts_with = "claim")]
    pub(crate) volume: String,
    /// Pods
    #[arg(long, value_name = "N", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub(crate) members: u32,
    /// Name of all objects
    #[arg(long, value_name = "NAME", default_value = "fathom", value_parser = label)]
    pub(crate) name: String,
    /// Existing secret whose key `token` the pods share; without it the manifest holds a new one
    #[arg(long, value_name = "NAME", value_parser = dns_name)]
    pub(crate) secret: Option<String>,
    /// Existing claim (ReadWriteMany) that receives each result as JSON
    ///
    /// As with --claim, Kubernetes may change the group of its files.
    #[arg(long, value_name = "NAME", value_parser = dns_name)]
    pub(crate) results_claim: Option<String>,
    /// Use io_uring, with this seccomp profile of the nodes that permits it
    #[arg(long, value_name = "SECCOMP", value_parser = seccomp_profile)]
    pub(crate) io_uring: Option<String>,
    /// Processors that each pod requests; it has no limit, because a limit delays requests
    #[arg(long, value_name = "QUANTITY", default_value = "1", value_parser = processors)]
    pub(crate) cpu: String,
    /// Memory of each pod, requested and limited
    #[arg(long, value_name = "QUANTITY", default_value = "1Gi", value_parser = quantity)]
    pub(crate) memory: String,
    /// Label that a node must have; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) node_selector: Vec<NodeLabel>,
    /// Taint that the pods tolerate; repeatable
    #[arg(long, value_name = "KEY[=VALUE][:EFFECT]")]
    pub(crate) toleration: Vec<Toleration>,
    /// Time after which Kubernetes ends the pods
    #[arg(long, value_name = "DURATION", default_value = "4h")]
    pub(crate) deadline: Nanos,
    /// Time after the end at which Kubernetes removes the pods and their logs
    #[arg(long, value_name = "DURATION", default_value = "1d")]
    pub(crate) keep: Nanos,
    /// Workload and options of fathom run, after --
    #[arg(last = true, required = true, value_name = "OPTION")]
    pub(crate) run: Vec<String>,
}

/// A label of a node.
#[derive(Clone, Debug)]
pub(crate) struct NodeLabel {
    pub(crate) key: String,
    pub(crate) value: String,
}

impl FromStr for NodeLabel {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
        if !is_label_key(key) || !is_label_value(value) {
            return Err("expected KEY=VALUE, a label of Kubernetes");
        }
        let (key, value) = (key.to_owned(), value.to_owned());
        Ok(Self { key, value })
    }
}

/// A taint that is tolerated.
#[derive(Clone, Debug)]
pub(crate) struct Toleration {
    pub(crate) key: String,
    /// None tolerates every value.
    pub(crate) value: Option<String>,
    /// None tolerates every effect.
    pub(crate) effect: Option<String>,
}

impl FromStr for Toleration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
        let (taint, effect) = match text.rsplit_once(':') {
            Some((taint, effect)) => (taint, Some(effect.to_owned())),
            None => (text, None),
        };
        let is_known = |effect: &String| EFFECTS.contains(&effect.as_str());
        if !effect.as_ref().is_none_or(is_known) {
            return Err(format!("the effect is one of {}", EFFECTS.join(", ")));
        }
        let (key, value) = match taint.split_once('=') {
            Some((key, value)) => (key.to_owned(), Some(value.to_owned())),
            None => (taint.to_owned(), None),
        };
        if !is_label_key(&key) || !value.as_deref().is_none_or(is_label_value) {
            return Err("expected KEY[=VALUE][:EFFECT], a taint of Kubernetes".to_owned());
        }
        Ok(Self { key, value, effect })
    }
}

/// A label of DNS that begins with a letter, as the name of a Service must.
fn label(text: &str) -> Result<String, String> {
    if text.len() <= NAME_LENGTH_MAX && text.starts_with(|c: char| c.is_ascii_lowercase()) {
        return dns_name(text).and_then(|name| {
            let message = "expected a name without a dot";
            (!name.contains('.')).then_some(name).ok_or(message.into())
        });
    }
    Err(format!(
        "expected a lower-case letter and then at most {} of a-z, 0-9 and -",
        NAME_LENGTH_MAX - 1
    ))
}

/// A name of DNS, as objects of Kubernetes have.
fn dns_name(text: &str) -> Result<String, String> {
    let is_end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let is_part = |part: &str| {
        part.starts_with(is_end)
            && part.ends_with(is_end)
            && part.chars().all(|c| is_end(c) || c == '-')
    };
    if text.len() <= 253 && text.split('.').all(is_part) {
        return Ok(text.to_owned());
    }
    Err("expected a-z, 0-9, - and ., with a letter or digit at each end".to_owned())
}

/// A label's key: a name, which a DNS name and a slash may precede.
fn is_label_key(text: &str) -> bool {
    let (prefix, name) = match text.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, text),
    };
    !name.is_empty() && is_label_value(name) && prefix.is_none_or(|prefix| dns_name(prefix).is_ok())
}

/// A label's value, which may be empty.
fn is_label_value(text: &str) -> bool {
    let is_end = |c: char| c.is_ascii_alphanumeric();
    text.is_empty()
        || (text.len() <= 63
            && text.starts_with(is_end)
            && text.ends_with(is_end)
            && text.chars().all(|c| is_end(c) || "-_.".contains(c)))
}

/// A reference to an image. The registry decides on the rest.
fn image(text: &str) -> Result<String, &'static str> {
    let is_reference = !text.is_empty() && text.chars().all(|c| c.is_ascii_graphic());
    let message = "expected the name of an image, without spaces";
    is_reference.then(|| text.to_owned()).ok_or(message)
}

/// A path below the folder of the seccomp profiles of a node.
fn seccomp_profile(text: &str) -> Result<String, &'static str> {
    let is_inside = !text.starts_with('/') && text.split('/').all(|part| part != "..");
    let message = "expected a path below the folder of seccomp profiles, such as \
                   profiles/io_uring.json";
    (!text.is_empty() && is_inside)
        .then(|| text.to_owned())
        .ok_or(message)
}

/// A quantity of processors, in whole thousandths.
fn processors(text: &str) -> Result<String, String> {
    const MESSAGE: &str = "expected processors in steps of 1m, such as 500m or 2";
    let (number, of_one) = match text.strip_suffix('m') {
        Some(number) => (number, 1.0),
        None => (text, 1000.0),
    };
    let thousandths = number.parse::<f64>().map(|number| number * of_one);
    let is_whole = thousandths.is_ok_and(|own| own >= 0.5 && (own - own.round()).abs() < 1e-6);
    let quantity = quantity(text).map_err(|_| MESSAGE.to_owned())?;
    is_whole.then_some(quantity).ok_or(MESSAGE.to_owned())
}

/// A quantity of Kubernetes above 0.
fn quantity(text: &str) -> Result<String, String> {
    const SUFFIXES: [&str; 14] = [
        "", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
    ];
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, suffix) = text.split_at(end.unwrap_or(text.len()));
    let is_above_0 = number.parse::<f64>().is_ok_and(|number| number > 0.0);
    if is_above_0 && SUFFIXES.contains(&suffix) {
        return Ok(text.to_owned());
    }
    Err("expected a quantity of Kubernetes, such as 500m, 2 or 20Gi".to_owned())
}
