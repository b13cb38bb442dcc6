//! What disks deliver together, by level of RAID and over their link, without a recording.

use super::disks::{Bus, bus};
use super::json::ArrayDocument;
use crate::args::{ArrayDisks, NeedArgs, NeedFormat};
use crate::commands::catalog::Known;
use crate::commands::listed;
use crate::commands::sinks::TextPlace;
use crate::error::{Error, Problem};
use crate::exit::Exit;
use crate::paragraph::{fitted, wrapped};
use crate::table::Table;
use crate::width;
use fathom_core::figure;
use fathom_core::nearest::nearest;
use fathom_volume::catalog::Law;
use fathom_volume::layout::RaidLevel;
use fathom_volume::sizing::{data_disks, disks_needed, frontend_iops};
use serde::Serialize;

/// Shares of reads that the table has.
const READS: [f64; 3] = [1.0, 0.7, 0.0];
/// Share of reads of a need that states none.
const USUAL_READS: f64 = 0.7;

/// The disks, and what is known of one.
struct Array {
    count: u32,
    name: Option<String>,
    iops: Option<f64>,
    bytes_per_second: Option<f64>,
    /// Whether the rate is that of a disk that seeks, with one request at a time.
    is_of_seeks: bool,
    levels: Vec<RaidLevel>,
    bus: Option<Bus>,
    needed: Option<Needed>,
}

/// Random requests that an array has to deliver.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Needed {
    iops: f64,
    /// Share of reads, 0 to 1.
    reads: f64,
}

/// The disks, for programs.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ArrayRow<'a> {
    disks: u32,
    /// As the catalogue names one.
    name: Option<&'a str>,
    /// Random requests per second of one disk.
    disk_iops: Option<f64>,
    /// Of one disk.
    disk_bytes_per_second: Option<f64>,
    levels: Vec<ArrayLevel>,
    /// The need of `--iops`.
    needed: Option<Needed>,
    /// The link of `--link`.
    link: Option<LinkRow<'a>>,
}

/// Small random requests per second of all disks, and sequential writes.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ArrayLevel {
    raid: &'static str,
    read_iops: Option<f64>,
    mixed_iops_70_percent_reads: Option<f64>,
    write_iops: Option<f64>,
    write_bytes_per_second: Option<f64>,
    /// Disks without parity and copies.
    data_disks: u32,
    /// Disks that deliver the need of `--iops` at this level.
    disks_needed: Option<u32>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LinkRow<'a> {
    name: &'a str,
    /// In theory.
    bytes_per_second: f64,
    /// In practice, the lowest and the highest that were seen.
    seen_bytes_per_second: Option<(f64, f64)>,
    source: &'a str,
}

pub(super) fn answer(
    args: &NeedArgs,
    disks: &ArrayDisks,
    known: &Known,
    page: TextPlace,
) -> Result<Exit, Error> {
    refuse_idle(args)?;
    let array = Array::of(args, disks, known)?;
    match args.format() {
        NeedFormat::Text => page.write_words(&fitted(&array.text(), width::of_pages()))?,
        NeedFormat::Json => {
            let array = array.row();
            page.write(&listed::stamped("need", &ArrayDocument { array })?)?;
        }
    }
    Ok(Exit::Ok)
}

/// Options that would change nothing.
fn refuse_idle(args: &NeedArgs) -> Result<(), Problem> {
    let idle = [
        ("--volume", !args.volume.is_empty()),
        ("--profile", args.profile.is_some()),
        ("a machine", super::machines::is_asked(args)),
    ];
    let mut all = args.recording.given().into_iter().chain(idle);
    match all.find(|(_, is_set)| *is_set) {
        None => Ok(()),
        Some((option, _)) => Err(Problem::new(
            Exit::Usage,
            format!("--disks has no use for {option}"),
        )
        .because("there is no recording")
        .remedy("use --disks with --raid, --link, --disk-iops and --disk-throughput")),
    }
}

impl Array {
    fn of(args: &NeedArgs, disks: &ArrayDisks, known: &Known) -> Result<Self, Problem> {
        let options = &args.disks;
        let of_name = disks.name.as_deref();
        let of_name = of_name.map(|name| random_iops(known, name)).transpose()?;
        let iops = options.disk_iops.or(of_name);
        if iops.is_none() && options.disk_throughput.is_none() {
            return Err(
                Problem::new(Exit::Usage, "what one disk delivers is not known").remedy(
                    "name the disks, as in --disks \"4x hdd-10k\", or give --disk-iops or \
                     --disk-throughput",
                ),
            );
        }
        let levels = match options.raid {
            Some(level) => vec![level],
            None => RaidLevel::ALL.into(),
        };
        let levels: Vec<RaidLevel> = levels
            .into_iter()
            .filter(|level| can_be(*level, disks.count))
            .collect();
        if let (true, Some(level)) = (levels.is_empty(), options.raid) {
            let least = match level {
                RaidLevel::Raid1 => "2 disks, or --raid 10 for more".to_owned(),
                RaidLevel::Raid10 => "an even number of disks, 4 or more".to_owned(),
                _ => format!("{} disks or more", level.min_members()),
            };
            let thing = format!("{} is not made of {} disks", level.name(), disks.count);
            return Err(Problem::new(Exit::Usage, thing).remedy(least));
        }
        if options.iops.is_some() && iops.is_none() {
            let thing = "--iops needs the random IOPS of one disk";
            return Err(
                Problem::new(Exit::Usage, thing).remedy("--disk-iops, or the name of disks")
            );
        }
        let reads = options.read.map_or(USUAL_READS, |read| read.0 / 100.0);
        Ok(Self {
            needed: options.iops.map(|iops| Needed { iops, reads }),
            count: disks.count,
            name: disks.name.clone(),
            iops,
            bytes_per_second: options.disk_throughput,
            is_of_seeks: options.disk_iops.is_none() && of_name.is_some(),
            levels,
            bus: options
                .link
                .as_deref()
                .map(|text| bus(known, text))
                .transpose()?,
        })
    }

    /// Small random requests a second.
    fn random(&self, level: RaidLevel, reads: f64) -> Option<f64> {
        Some(frontend_iops(level, self.count, self.iops?, reads))
    }

    /// Disks that deliver the need at a level.
    fn needed(&self, level: RaidLevel) -> Option<u32> {
        let needed = self.needed?;
        let disks = disks_needed(level, needed.iops, self.iops?, needed.reads);
        // A mirror has two; more of them are RAID 10.
        (level != RaidLevel::Raid1 || disks <= 2).then_some(disks)
    }

    /// All disks at full rate, in bytes a second.
    fn full_rate(&self) -> Option<f64> {
        Some(self.bytes_per_second? * f64::from(self.count))
    }

    /// Bytes a second of data that can be written: the copies and the parity go over the link too.
    fn write_rate(&self, data: u32) -> Option<f64> {
        let disks = self.bytes_per_second? * f64::from(data);
        let link = self.bus.as_ref().map(|bus| bus.bytes_per_second);
        let link = link.map(|link| link * f64::from(data) / f64::from(self.count));
        Some(disks.min(link.unwrap_or(f64::INFINITY)))
    }

    fn text(&self) -> String {
        let disks = self.name.as_deref().map_or_else(
            || figure::plural(u64::from(self.count), "disk"),
            |name| format!("{} disks {name}", self.count),
        );
        let mut parts = Vec::new();
        let both = |level| Some((self.random(level, 1.0)?, self.random(level, 0.0)?));
        if let [level] = self.levels[..]
            && let Some((reads, writes)) = both(level)
        {
            parts.push(format!(
                "about {} random reads or {} random writes a second as {}",
                whole(reads),
                whole(writes),
                level.name()
            ));
        }
        if let Some(rate) = self.full_rate() {
            parts.push(format!("{} MB/s at full rate", whole(rate / 1e6)));
        }
        if let Some(bus) = &self.bus {
            let practice = bus.seen().map(|(low, _)| {
                let low = whole(low / 1e6);
                format!(" and about {low} in practice")
            });
            parts.push(format!(
                "{} carries {} MB/s in theory{}",
                bus.name,
                whole(bus.bytes_per_second / 1e6),
                practice.unwrap_or_default()
            ));
        }
        let mut text = self
            .verdict(&disks)
            .map_or_else(String::new, |line| wrapped(&line));
        text.push_str(&if parts.is_empty() {
            wrapped(&format!("{disks}, by level of RAID"))
        } else {
            wrapped(&format!("{disks}: {}", parts.join("; ")))
        });
        text.push('\n');
        text.push_str(&self.table());
        for note in self.notes() {
            text.push_str(&wrapped(&note));
        }
        text
    }

    /// Whether the disks deliver the need of `--iops`, and how many do where they do not.
    fn verdict(&self, disks: &str) -> Option<String> {
        let needed = self.needed?;
        let reads = figure::percent(needed.reads * 100.0);
        let of = format!(
            "{disks} for {} random IOPS with {reads} reads",
            whole(needed.iops)
        );
        let is_enough =
            |level: &RaidLevel| self.needed(*level).is_some_and(|own| own <= self.count);
        let least = |level: RaidLevel| self.needed(level).map(|own| figure::count(own.into()));
        if let [level] = self.levels[..] {
            let gives = whole(self.random(level, needed.reads)?);
            let least = least(level).map(|least| format!("; {least} disks are needed"));
            let word = if is_enough(&level) {
                "enough"
            } else {
                "not enough"
            };
            let (name, least) = (level.name(), least.unwrap_or_default());
            return Some(format!(
                "{word}: {of}. As {name} they deliver about {gives}{least}"
            ));
        }
        let (enough, short): (Vec<RaidLevel>, Vec<RaidLevel>) =
            self.levels.iter().partition(|level| is_enough(level));
        let names = enough.iter().map(|level| level.name().to_owned());
        let names = names.collect::<Vec<_>>().join(", ");
        let missing = short.iter().map(|level| match least(*level) {
            Some(least) => format!("{} ({least} needed)", level.name()),
            None => level.name().to_owned(),
        });
        let missing = missing.collect::<Vec<_>>().join(", ");
        Some(match (enough.is_empty(), short.is_empty()) {
            (true, _) => format!("not enough: {of}, as {missing}"),
            (_, true) => format!("enough: {of}, as {names}"),
            _ => format!("{of}: enough as {names}; not enough as {missing}"),
        })
    }

    fn table(&self) -> String {
        let mut heads = vec!["RAID"];
        if self.iops.is_some() {
            heads.extend([">READS", ">70 % READS", ">WRITES"]);
        }
        if self.bytes_per_second.is_some() {
            heads.push(">MB/s OF WRITES");
        }
        heads.push(">DISKS OF DATA");
        if self.needed.is_some() {
            heads.push(">DISKS NEEDED");
        }
        let mut table = Table::new(&heads);
        for level in &self.levels {
            let data = data_disks(*level, self.count);
            let random = READS.map(|reads| self.random(*level, reads));
            let bytes = self.write_rate(data);
            let mut cells = vec![level.name().to_owned()];
            cells.extend(random.into_iter().flatten().map(whole));
            cells.extend(bytes.map(|bytes| whole(bytes / 1e6)));
            cells.push(figure::count(u64::from(data)));
            if self.needed.is_some() {
                let disks = self.needed(*level);
                cells.push(disks.map_or("-".to_owned(), |disks| figure::count(disks.into())));
            }
            table.row(cells);
        }
        table.on_page() + "\n"
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(each) = self.iops {
            notes.push(format!(
                "theory: small random requests, {} a second for each disk{}; a cache that gathers \
                 writes gives more of them",
                whole(each),
                if self.is_of_seeks {
                    " with one outstanding (seek time and half a revolution), in practice up to \
                     twice as many with a deep queue"
                } else {
                    ""
                }
            ));
        }
        if let Some(needed) = self.needed {
            notes.push(format!(
                "disks needed: for {} random IOPS with {} of reads",
                whole(needed.iops),
                figure::percent(needed.reads * 100.0)
            ));
        }
        if let Some(bus) = &self.bus {
            if let Some(each) = self.bytes_per_second {
                notes.push(bus.neck(each, self.count));
            }
            notes.push(format!("link: {}", bus.source));
        }
        notes
    }

    /// For programs.
    fn row(&self) -> ArrayRow<'_> {
        let level = |level: &RaidLevel| {
            let [reads, mixed, writes] = READS.map(|reads| self.random(*level, reads));
            ArrayLevel {
                raid: level.name(),
                read_iops: reads,
                mixed_iops_70_percent_reads: mixed,
                write_iops: writes,
                write_bytes_per_second: self.write_rate(data_disks(*level, self.count)),
                data_disks: data_disks(*level, self.count),
                disks_needed: self.needed(*level),
            }
        };
        ArrayRow {
            disks: self.count,
            name: self.name.as_deref(),
            disk_iops: self.iops,
            disk_bytes_per_second: self.bytes_per_second,
            levels: self.levels.iter().map(level).collect(),
            needed: self.needed,
            link: self.bus.as_ref().map(|bus| LinkRow {
                name: &bus.name,
                bytes_per_second: bus.bytes_per_second,
                seen_bytes_per_second: bus.seen(),
                source: &bus.source,
            }),
        }
    }
}

/// Theory has no tenths.
fn whole(number: f64) -> String {
    figure::count(number.round() as u64)
}

const fn can_be(level: RaidLevel, disks: u32) -> bool {
    disks as usize >= level.min_members()
        && match level {
            // Each write goes to two: mirrors of more are rare, and cost more.
            RaidLevel::Raid1 => disks == 2,
            RaidLevel::Raid10 => disks.is_multiple_of(2),
            _ => true,
        }
}

/// Random requests a second of a disk that the catalogue has.
fn random_iops(known: &Known, name: &str) -> Result<f64, Problem> {
    let device = |name: &str| match &known.catalog.volume(name, known.at).ok()?.law {
        Law::Device(device) => device.random_iops(),
        _ => None,
    };
    if let Some(iops) = device(name) {
        return Ok(iops);
    }
    let names = ["hdd-7200", "hdd-10k", "hdd-15k"];
    let problem = Problem::new(
        Exit::Usage,
        format!("how many requests a disk `{name}` completes is not known"),
    );
    Err(problem.remedy(match nearest(name, names) {
        Some(nearest) => format!("{nearest}, or --disks N with --disk-iops"),
        None => format!("{}, or --disks N with --disk-iops", names.join(", ")),
    }))
}
