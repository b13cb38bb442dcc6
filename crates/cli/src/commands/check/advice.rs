//! What an application's vendor advises of a machine and its file systems, held against what is
//! here.

use super::facts::Gathered;
use crate::args::{Advice, CatalogOptions, CheckArgs};
use crate::commands::catalog;
use crate::commands::here;
use crate::error::Problem;
use crate::paragraph::hanging;
use fathom_core::figure;
use fathom_volume::catalog::{Confidence, InstanceType};
use fathom_volume::sizing::{SAS_MEMORY_MIB_PER_CORE, SasRule};
use serde::Serialize;
use std::path::Path;

/// Whether something is as it is advised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum Kept {
    Yes,
    No,
    Unknown,
}

impl Kept {
    const fn word(self) -> &'static str {
        match self {
            Self::Yes => "as advised",
            Self::No => "not so",
            Self::Unknown => "unknown",
        }
    }

    const fn of(kept: Option<bool>) -> Self {
        match kept {
            Some(true) => Self::Yes,
            Some(false) => Self::No,
            None => Self::Unknown,
        }
    }
}

/// One piece of advice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Point {
    /// The phase, job or device.
    pub(super) subject: String,
    /// What is here.
    pub(super) here: String,
    /// What is advised.
    pub(super) advised: &'static str,
    pub(super) kept: Kept,
    /// What would make it so; empty where it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) remedy: String,
    /// Who advises it.
    pub(super) source: &'static str,
    /// How it is known.
    pub(super) confidence: Confidence,
}

/// What the advice of SAS is about.
#[derive(Clone, Debug)]
struct Seen {
    file_system: Option<String>,
    /// `vm.dirty_ratio`, `vm.dirty_background_ratio` (percent of the available memory) or, where
    /// those are 0, the same in bytes as a share of all memory.
    dirty_percent: Option<f64>,
    background_percent: Option<f64>,
    /// Bytes, by device.
    read_ahead: Vec<(String, u64)>,
    cores: Option<u32>,
    memory_bytes: Option<u64>,
    is_heavy: bool,
    /// The instance as the catalogue has it, or why it is unknown.
    machine: Result<InstanceType, String>,
}

/// Where the text of a point begins.
const COLUMN: usize = 14;

/// One rule of SAS: what is advised of what, and who says so.
#[derive(Clone, Copy, Debug)]
struct Rule {
    subject: &'static str,
    advised: &'static str,
    source: &'static str,
    confidence: Confidence,
}

/// What SAS's own script looks for.
const SCRIPT: &str = "rhel_iotest.sh of SAS";
/// Values that were read in what follows a guide, not in the guide.
const PROFILE: &str = "the tuned profile sas-performance of public scripts that set up SAS on \
                       Oracle's cloud; Red Hat's guide to SAS, which they follow, was not read";

/// Least read-ahead, bytes.
const READ_AHEAD: u64 = 4 << 20;
/// Least share of memory that may be dirty before writers wait, percent.
const DIRTY: f64 = 30.0;
/// Most that may be before the kernel begins to write, percent.
const BACKGROUND: f64 = 10.0;
/// Memory for each physical core, bytes: below it the script says so.
const MEMORY_PER_CORE: u64 = SAS_MEMORY_MIB_PER_CORE << 20;
/// Network, bits a second.
const NETWORK: f64 = 10e9;

const FILE_SYSTEM_RULE: Rule = Rule {
    subject: "file system",
    advised: "xfs",
    source: SCRIPT,
    confidence: Confidence::Sourced,
};
const DIRTY_RULE: Rule = Rule {
    subject: "vm.dirty_ratio",
    advised: "30 % or more",
    source: PROFILE,
    confidence: Confidence::Inferred,
};
const BACKGROUND_RULE: Rule = Rule {
    subject: "vm.dirty_background_ratio",
    advised: "10 % or less",
    source: PROFILE,
    confidence: Confidence::Inferred,
};
const READ_AHEAD_RULE: Rule = Rule {
    subject: "read-ahead",
    advised: "4 MiB or more",
    source: "the same profile; oracle-quickstart/oci-sas-grid scripts/grid_disks.sh at 541e7267 \
             sets 8 MiB",
    confidence: Confidence::Inferred,
};
const MEMORY_RULE: Rule = Rule {
    subject: "memory for each core",
    advised: "8 GiB or more",
    source: SCRIPT,
    confidence: Confidence::Sourced,
};
const NETWORK_RULE: Rule = Rule {
    subject: "network",
    advised: "10.0 Gbit/s or more",
    source: "the study of SAS on Azure: data over a network of 10 Gb/s or more",
    confidence: Confidence::Sourced,
};

const THROUGHPUT_RULE: Rule = Rule {
    subject: "throughput of the machine to its disks",
    advised: "100 MB/s or more for each core",
    source: "the study of SAS on Azure: each file system gives 100 MB/s for each physical core",
    confidence: Confidence::Sourced,
};
const HEAVY_RULE: Rule = Rule {
    subject: THROUGHPUT_RULE.subject,
    advised: "150 MB/s or more for each core",
    source: "the same study: 150 MB/s for heavy analytics (--sas-heavy)",
    confidence: Confidence::Sourced,
};
const MACHINE_RULE: Rule = Rule {
    subject: "machine",
    advised: "x86_64, without GPUs",
    source: "SAS is made for x86_64; GPUs cost money, and SAS does not use them",
    confidence: Confidence::Inferred,
};

/// All of them, in the order in which they are shown.
#[cfg(test)]
const RULES: [Rule; 9] = [
    FILE_SYSTEM_RULE,
    DIRTY_RULE,
    BACKGROUND_RULE,
    READ_AHEAD_RULE,
    MEMORY_RULE,
    NETWORK_RULE,
    THROUGHPUT_RULE,
    HEAVY_RULE,
    MACHINE_RULE,
];

impl Rule {
    /// The rule held against what is here. `remedy` is for what is not as advised, `look` for what
    /// nobody knows.
    fn held(self, here: String, kept: Option<bool>, remedy: &str, look: &str) -> Point {
        let kept = Kept::of(kept);
        Point {
            subject: self.subject.to_owned(),
            here,
            advised: self.advised,
            kept,
            remedy: match kept {
                Kept::Yes => "",
                Kept::No => remedy,
                Kept::Unknown => look,
            }
            .to_owned(),
            source: self.source,
            confidence: self.confidence,
        }
    }
}

/// What is asked for, or nothing.
pub(super) fn of(args: &CheckArgs, gathered: &Gathered) -> Result<Vec<Point>, Problem> {
    Ok(match args.advice {
        None => Vec::new(),
        Some(Advice::Sas) => sas(&seen(args, gathered)?),
    })
}

fn seen(args: &CheckArgs, gathered: &Gathered) -> Result<Seen, Problem> {
    let vm = |name: &str| -> Option<f64> {
        let text = fathom_device::input::read_text(Path::new("/proc/sys/vm").join(name)).ok()?;
        text.trim().parse().ok()
    };
    let machine = machine(args)?;
    let memory = gathered.host.memory_bytes;
    let share = |ratio: &str, bytes: &str| {
        let of_bytes = || Some(vm(bytes)? / memory? as f64 * 100.0);
        vm(ratio).filter(|ratio| *ratio > 0.0).or_else(of_bytes)
    };
    Ok(Seen {
        file_system: gathered.facts.file_system.clone(),
        dirty_percent: share("dirty_ratio", "dirty_bytes"),
        background_percent: share("dirty_background_ratio", "dirty_background_bytes"),
        read_ahead: gathered.attached.read_ahead.clone(),
        cores: match named(args).and(machine.as_ref().ok()) {
            Some(named) => named.cores,
            None => Some(gathered.host.physical_cores),
        },
        memory_bytes: match named(args).and(machine.as_ref().ok()) {
            Some(named) => named.memory_mib.map(|mib| mib << 20),
            None => memory,
        },
        is_heavy: args.sas_heavy,
        machine,
    })
}

/// The instance that is asked about in place of this machine.
fn named(args: &CheckArgs) -> Option<&str> {
    let name = args.instance.instance.as_deref();
    name.filter(|name| *name != here::WORD)
}

/// The instance that was named, or that this is.
fn machine(args: &CheckArgs) -> Result<Result<InstanceType, String>, Problem> {
    let known = catalog::known(&CatalogOptions::default())?;
    let name = match &args.instance.instance {
        Some(name) if name != here::WORD => name.clone(),
        asked => match here::instance(&known, args.instance.metadata) {
            Ok(name) => name,
            Err(problem) if asked.is_some() => return Err(problem),
            Err(_) => return Ok(Err("this instance is unknown".to_owned())),
        },
    };
    let row = known.catalog.instance(&name, None, known.at);
    let row = row.map_err(|error| catalog::unknown(&error))?;
    Ok(Ok(row.clone()))
}

/// What SAS advises.
fn sas(seen: &Seen) -> Vec<Point> {
    let mut points = vec![file_system(seen), dirty(seen), background(seen)];
    points.extend(seen.read_ahead.iter().map(read_ahead));
    points.push(memory(seen));
    points.push(network_point(seen));
    points.push(throughput(seen));
    points.push(machine_point(seen));
    points
}

fn file_system(seen: &Seen) -> Point {
    let here = seen.file_system.as_deref();
    let on_xfs = "put SASDATA, WORK and UTILLOC on xfs file systems";
    FILE_SYSTEM_RULE.held(
        here.unwrap_or("none").to_owned(),
        here.map(|name| name == "xfs"),
        on_xfs,
        on_xfs,
    )
}

fn dirty(seen: &Seen) -> Point {
    DIRTY_RULE.held(
        share(seen.dirty_percent),
        seen.dirty_percent.map(|percent| percent >= DIRTY),
        "sysctl vm.dirty_ratio=30",
        "`sysctl vm.dirty_ratio vm.dirty_bytes` on the machine itself",
    )
}

fn background(seen: &Seen) -> Point {
    BACKGROUND_RULE.held(
        share(seen.background_percent),
        seen.background_percent.map(|percent| percent <= BACKGROUND),
        "sysctl vm.dirty_background_ratio=10",
        "`sysctl vm.dirty_background_ratio vm.dirty_background_bytes` on the machine itself",
    )
}

fn read_ahead((device, bytes): &(String, u64)) -> Point {
    let sectors = READ_AHEAD / 512;
    let remedy = format!("blockdev --setra {sectors} /dev/{device}");
    Point {
        subject: format!("read-ahead of {device}"),
        ..READ_AHEAD_RULE.held(
            figure::size(*bytes),
            Some(*bytes >= READ_AHEAD),
            &remedy,
            &remedy,
        )
    }
}

fn memory(seen: &Seen) -> Point {
    let each = seen.memory_bytes.zip(seen.cores);
    let each = each.map(|(bytes, cores)| bytes / u64::from(cores.max(1)));
    MEMORY_RULE.held(
        each.map_or_else(|| "unknown".to_owned(), figure::size),
        // What firmware keeps of it is not missing.
        each.map(|each| each >= MEMORY_PER_CORE / 10 * 9),
        "use a machine with more memory per core",
        "`free -h` on the machine itself",
    )
}

fn network_point(seen: &Seen) -> Point {
    let (here, bits, look) = match &seen.machine {
        Err(why) => (why.clone(), None, NAMELESS.to_owned()),
        Ok(machine) => {
            let name = &machine.name;
            let here = match machine.network_bits {
                Some(bits) => format!("{} Gbit/s of {name}", figure::significant(bits / 1e9)),
                None => format!("the catalogue has no network speed for {name}"),
            };
            let look = format!(
                "check the vendor's page on {name}, or measure between two machines (`iperf3 -P \
                 8`)"
            );
            (here, machine.network_bits, look)
        }
    };
    NETWORK_RULE.held(
        here,
        bits.map(|bits| bits >= NETWORK),
        "use another instance: `fathom plan --sas-cores N --network 10`",
        &look,
    )
}

/// What to do where the instance is unknown.
const NAMELESS: &str = "set its name with --instance";

/// The rule of `need --sas-cores`, for the machine that is looked at.
fn throughput(seen: &Seen) -> Point {
    let rule = if seen.is_heavy {
        HEAVY_RULE
    } else {
        THROUGHPUT_RULE
    };
    let machine = match &seen.machine {
        Ok(machine) => machine,
        Err(why) => return rule.held(why.clone(), None, "", NAMELESS),
    };
    let name = &machine.name;
    let lasting = machine.network.and_then(|path| path.lasting());
    let Some(((_, rate), cores)) = lasting.zip(seen.cores.filter(|cores| *cores > 0)) else {
        let look =
            format!("check the vendor's page on {name}, or measure with `fathom rhel-iotest`");
        let here = format!("the catalogue has no sustained throughput for {name}");
        return rule.held(here, None, "", &look);
    };
    let verdict = SasRule {
        cores,
        is_heavy: seen.is_heavy,
    }
    .verdict(rate);
    let heavy = if seen.is_heavy { " --sas-heavy" } else { "" };
    rule.held(
        format!(
            "{} MB/s of {name}: {}",
            figure::significant(rate / 1e6),
            verdict.in_words()
        ),
        Some(verdict.share >= 1.0),
        &format!("use another instance: `fathom need --sas-cores {cores}{heavy}`"),
        "",
    )
}

fn machine_point(seen: &Seen) -> Point {
    let machine = match &seen.machine {
        Ok(machine) => machine,
        Err(why) => return MACHINE_RULE.held(why.clone(), None, "", NAMELESS),
    };
    let arch = machine.arch.as_deref();
    let gpu = if machine.has_gpu() { "with" } else { "without" };
    let here = format!(
        "{} ({}, {gpu} GPUs)",
        machine.name,
        arch.unwrap_or("unknown architecture")
    );
    MACHINE_RULE.held(
        here,
        arch.map(|arch| arch == "x86_64" && !machine.has_gpu()),
        "use another instance: `fathom need --sas-cores N`",
        "check the vendor's page on it",
    )
}

fn share(percent: Option<f64>) -> String {
    percent.map_or_else(|| "unknown".to_owned(), figure::percent)
}

/// The points for people.
pub(super) fn text(points: &[Point]) -> String {
    let mut text = String::new();
    if points.is_empty() {
        return text;
    }
    text.push_str("\nRecommendations of SAS\n");
    for point in points {
        let Point {
            subject,
            here,
            advised,
            kept,
            remedy,
            source,
            confidence,
        } = point;
        let word = kept.word();
        let found = format!("{subject}: {here}; recommended: {advised}");
        text.push_str(&hanging(word, COLUMN, &found));
        let warning = confidence.warning();
        let warning = warning.map_or_else(String::new, |words| format!(" [{words}]"));
        text.push_str(&hanging("", COLUMN, &format!("source: {source}{warning}")));
        if !remedy.is_empty() {
            text.push_str(&hanging("", COLUMN, &format!("try: {remedy}")));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// An instance of the catalogue, with another network.
    fn of_catalog(name: &str, network_bits: Option<f64>) -> InstanceType {
        let day = "2026-11-22".parse().unwrap();
        let catalog = fathom_volume::catalog::Catalog::embedded();
        InstanceType {
            network_bits,
            ..catalog.instance(name, None, day).unwrap().clone()
        }
    }

    fn good() -> Seen {
        Seen {
            file_system: Some("xfs".into()),
            dirty_percent: Some(30.0),
            background_percent: Some(10.0),
            read_ahead: vec![("sdb".into(), 4 << 20)],
            cores: Some(16),
            memory_bytes: Some(126 << 30),
            is_heavy: false,
            machine: Ok(of_catalog("D32s_v6", Some(16e9))),
        }
    }

    fn kept(seen: &Seen) -> Vec<Kept> {
        sas(seen).iter().map(|point| point.kept).collect()
    }

    #[test]
    fn what_is_just_enough_is_and_what_is_just_not_has_a_remedy() {
        assert_eq!(kept(&good()), [Kept::Yes; 8]);
        assert!(sas(&good()).iter().all(|point| point.remedy.is_empty()));
        let bad = Seen {
            file_system: Some("ext4".into()),
            dirty_percent: Some(29.9),
            background_percent: Some(10.1),
            read_ahead: vec![("sdb".into(), (4 << 20) - 1)],
            cores: Some(16),
            memory_bytes: Some(100 << 30),
            is_heavy: false,
            machine: Ok(of_catalog("g4dn.2xlarge", Some(9.9e9))),
        };
        assert_eq!(kept(&bad), [Kept::No; 8]);
        assert!(sas(&bad).iter().all(|point| !point.remedy.is_empty()));
    }

    #[test]
    fn what_nobody_knows_is_said_to_be_unknown() {
        let seen = Seen {
            machine: Err("this instance is unknown".into()),
            is_heavy: true,
            file_system: None,
            dirty_percent: None,
            background_percent: None,
            read_ahead: Vec::new(),
            cores: Some(4),
            memory_bytes: None,
        };
        let expected = "
Recommendations of SAS
  unknown     file system: none; recommended: xfs
              source: rhel_iotest.sh of SAS
              try: put SASDATA, WORK and UTILLOC on xfs file systems
  unknown     vm.dirty_ratio: unknown; recommended: 30 % or more
              source: the tuned profile sas-performance of public scripts that
              set up SAS on Oracle's cloud; Red Hat's guide to SAS, which they
              follow, was not read [in part inferred]
              try: `sysctl vm.dirty_ratio vm.dirty_bytes` on the machine itself
  unknown     vm.dirty_background_ratio: unknown; recommended: 10 % or less
              source: the tuned profile sas-performance of public scripts that
              set up SAS on Oracle's cloud; Red Hat's guide to SAS, which they
              follow, was not read [in part inferred]
              try: `sysctl vm.dirty_background_ratio vm.dirty_background_bytes`
              on the machine itself
  unknown     memory for each core: unknown; recommended: 8 GiB or more
              source: rhel_iotest.sh of SAS
              try: `free -h` on the machine itself
  unknown     network: this instance is unknown; recommended: 10.0 Gbit/s or
              more
              source: the study of SAS on Azure: data over a network of 10 Gb/s
              or more
              try: set its name with --instance
  unknown     throughput of the machine to its disks: this instance is unknown;
              recommended: 150 MB/s or more for each core
              source: the same study: 150 MB/s for heavy analytics (--sas-heavy)
              try: set its name with --instance
  unknown     machine: this instance is unknown; recommended: x86_64, without
              GPUs
              source: SAS is made for x86_64; GPUs cost money, and SAS does not
              use them [in part inferred]
              try: set its name with --instance
";
        assert_eq!(text(&sas(&seen)), expected);
    }

    /// The rule of `fathom need --sas-cores 16 --instance E32s_v3`.
    #[test]
    fn the_rate_for_each_core_is_that_of_a_need() {
        let here = |name: &str, is_heavy: bool| {
            let point = throughput(&Seen {
                is_heavy,
                machine: Ok(of_catalog(name, None)),
                ..good()
            });
            (point.kept, point.here, point.advised)
        };
        let words = "768 MB/s of Standard_E32s_v3: 48.0 MB/s for each core, 48.0 % of the need, \
                     enough for 7.7 cores";
        let usual = "100 MB/s or more for each core";
        assert_eq!(here("E32s_v3", false), (Kept::No, words.to_owned(), usual));
        let words = "1,696 MB/s of Standard_D32s_v6: 106 MB/s for each core, 70.7 % of the need, \
                     enough for 11.3 cores";
        let heavy = "150 MB/s or more for each core";
        assert_eq!(here("D32s_v6", true), (Kept::No, words.to_owned(), heavy));
        assert_eq!(here("n2-standard-32", true).0, Kept::Unknown);
    }

    #[test]
    fn of_a_machine_that_was_named_no_name_is_asked() {
        let seen = Seen {
            machine: Ok(of_catalog("n2-standard-16", None)),
            ..good()
        };
        let point = network_point(&seen);
        let expected = (
            "the catalogue has no network speed for n2-standard-16",
            Kept::Unknown,
            "check the vendor's page on n2-standard-16, or measure between two machines (`iperf3 \
             -P 8`)",
        );
        let found = (point.here.as_str(), point.kept, point.remedy.as_str());
        assert_eq!(found, expected);
    }

    #[test]
    fn the_rules_say_what_is_compared_with() {
        let per_core = |is_heavy| {
            let rule = SasRule { cores: 1, is_heavy };
            let rate = figure::significant(rule.bytes_per_second() / 1e6);
            format!("{rate} MB/s or more for each core")
        };
        let advised = [
            "xfs".to_owned(),
            format!("{DIRTY} % or more"),
            format!("{BACKGROUND} % or less"),
            format!("{} or more", figure::size(READ_AHEAD)),
            format!("{} or more", figure::size(MEMORY_PER_CORE)),
            format!("{} Gbit/s or more", figure::significant(NETWORK / 1e9)),
            per_core(false),
            per_core(true),
            "x86_64, without GPUs".to_owned(),
        ];
        assert_eq!(RULES.map(|rule| rule.advised.to_owned()), advised);
    }

    #[test]
    fn the_page_has_every_rule_with_its_source() {
        const PAGE: &str = "../../docs/check.md";
        const HEAD: &str = "| SAS advises | of | by | known |\n| --- | --- | --- | --- |\n";
        let place = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
        let page = std::fs::read_to_string(&place).expect("a page");
        let begin = page.find(HEAD).expect("a table");
        let rest = &page[begin..];
        let end = begin + rest.find("\n\n").map_or(rest.len(), |end| end + 1);
        let mut table = HEAD.to_owned();
        for rule in RULES {
            let known = rule.confidence.word();
            let _ = writeln!(
                table,
                "| {} | {} | {} | {known} |",
                rule.advised, rule.subject, rule.source
            );
        }
        if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
            let text = [&page[..begin], &table, &page[end..]].concat();
            std::fs::write(&place, text).expect("a page");
        } else {
            assert_eq!(&page[begin..end], table);
        }
    }
}
