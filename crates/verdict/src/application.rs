//! What named applications require of their storage, each figure with its public source.
//!
//! A requirement has the form that `--require` has, so that one text serves a run of our own and an
//! imported result. Where an application's maker publishes no figure, the table says so: a
//! threshold of ours would be taken for the maker's.

use crate::requirement::{Requirement, RequirementError};
use fathom_core::result::RunResult;

/// What a figure is counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// The volume as a whole.
    Volume,
    /// Each processor core of the host.
    Core,
    /// Each virtual desktop.
    Desktop,
}

/// Authority behind a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The maker of the application, in its documentation.
    Maker,
    /// A vendor that ships or supports it.
    Vendor,
    /// A rule of thumb that several sources repeat.
    RuleOfThumb,
}

impl Weight {
    /// The word that reports print.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Maker => "maker",
            Self::Vendor => "vendor",
            Self::RuleOfThumb => "rule of thumb",
        }
    }
}

/// One requirement of an application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// The volume it is asked of: `log`, `data`, …
    pub role: &'static str,
    /// The requirement, as `--require` takes it.
    pub text: &'static str,
    /// What the figure is counted for.
    pub per: Per,
    /// The profiles that measure this volume, each with the phase and job that it is asked of, as
    /// a requirement names them; empty for the whole run.
    pub measured_by: &'static [(&'static str, &'static str)],
    /// The load under which it has to be met.
    pub condition: &'static str,
    /// Authority behind the figure.
    pub weight: Weight,
    /// What the source is.
    pub source: &'static str,
    /// Where it is.
    pub url: &'static str,
}

impl Need {
    /// The requirement for a number of cores or desktops; `units` is not used where the figure is
    /// counted for the volume.
    ///
    /// # Errors
    ///
    /// The text is no requirement: never, for one of [`APPLICATIONS`].
    pub fn requirement(&self, units: f64) -> Result<Requirement, RequirementError> {
        let one: Requirement = self.text.parse()?;
        Ok(match self.per {
            Per::Volume => one,
            Per::Core | Per::Desktop => one.times(units),
        })
    }
}

/// An application that `--for` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Application {
    /// The word of `--for`.
    pub name: &'static str,
    /// Its name in sentences.
    pub title: &'static str,
    /// The profile that measures it.
    pub profile: &'static str,
    /// What it requires. Empty where nobody publishes a figure.
    pub needs: &'static [Need],
    /// What the maker does say where no figure exists, or what the figures leave out.
    pub note: &'static str,
    /// Where the note comes from.
    pub note_url: &'static str,
}

impl Application {
    /// The application of that name.
    pub fn named(name: &str) -> Option<&'static Self> {
        APPLICATIONS.iter().find(|one| one.name == name)
    }

    /// What to do about the page cache, where the application uses it by design.
    pub fn page_cache_advice(&self) -> Option<String> {
        let title = self.title;
        THROUGH_PAGE_CACHE.contains(&self.name).then(|| {
            format!(
                "{title} uses the page cache by design, so direct I/O would be another load. To \
                 measure the disk, run until the data exceeds the memory (--time, --size)"
            )
        })
    }

    /// The requirements that a run of a profile is held to: those of the volume that it measures.
    pub fn of_profile(profile: &str) -> impl Iterator<Item = Requirement> {
        let needs = APPLICATIONS.iter().flat_map(|one| one.needs);
        needs.flat_map(move |need| {
            let measured = need
                .measured_by
                .iter()
                .filter(move |(name, _)| *name == profile);
            measured.filter_map(|(_, of)| format!("{of}{}", need.text).parse().ok())
        })
    }
}

/// Applications that read or write through the page cache by design, as their profiles do: direct
/// I/O would be the load of another one.
const THROUGH_PAGE_CACHE: [&str; 8] = [
    "etcd",
    "kafka",
    "sas",
    "postgres",
    "mysql",
    "elasticsearch",
    "mongodb",
    "prometheus",
];

/// The advice to use direct I/O, unless the workload is that of an application that does not.
pub(crate) fn or_direct(result: &RunResult, remedy: &str) -> String {
    let name = &result.provenance.workload.name;
    let found = APPLICATIONS.iter().find(|one| one.profile == name);
    let designed = found.and_then(Application::page_cache_advice);
    designed.unwrap_or_else(|| remedy.to_owned())
}

const ETCD_HARDWARE: &str = "https://etcd.io/docs/current/op-guide/hardware";
const OKD_ETCD: &str = "https://docs.okd.io/latest/etcd/etcd-practices.html";
const EXCHANGE_ANALYZER: &str = "https://learn.microsoft.com/en-us/previous-versions/office/exchang\
    e-server-analyzer/aa995945(v=exchg.80)";
const EXCHANGE_SOURCE: &str = "Exchange Server Analyzer, acceptable disk latencies";
const SLOW_IO: &str = "https://techcommunity.microsoft.com/t5/sql-server-support-blog/slow-i-o-sql-\
    server-and-disk-i-o-performance/ba-p/333983";
const VDI_SIZING: &str = "http://millennia.it/a-closer-look-at-storage-and-virtual-desktops/";

/// All of them, in the order of `--for`.
pub const APPLICATIONS: &[Application] = &[
    Application {
        name: "etcd",
        title: "etcd",
        profile: "etcd",
        needs: &[
            Need {
                role: "log",
                text: "flush.p99<=10ms",
                per: Per::Volume,
                measured_by: &[("etcd", "")],
                condition: "each write of the log followed by fdatasync, one at a time",
                weight: Weight::Vendor,
                source: "OKD, etcd practices: writes with fdatasync within 10 ms; etcd's own \
                         figure for the 99th percentile of wal_fsync_duration_seconds is the same",
                url: OKD_ETCD,
            },
            Need {
                role: "log",
                text: "write.iops>=50",
                per: Per::Volume,
                measured_by: &[("etcd", "")],
                condition: "sequential writes of 8 kB, each made durable",
                weight: Weight::Maker,
                source: "etcd, hardware recommendations: 50 sequential IOPS for a small cluster; \
                         500 for one under heavy load",
                url: ETCD_HARDWARE,
            },
        ],
        note: "A cluster under heavy load needs 500 sequential IOPS, that is 2 ms for each write \
               with its fdatasync.",
        note_url: ETCD_HARDWARE,
    },
    Application {
        name: "kafka",
        title: "Apache Kafka",
        profile: "kafka",
        needs: &[],
        note: "No vendor requirement published. Kafka writes through the page cache, leaves the \
               flush to the kernel and relies on replication; its documentation recommends \
               several drives of its own for throughput.",
        note_url: "https://kafka.apache.org/documentation/#hwandos",
    },
    Application {
        name: "sas",
        title: "SAS 9",
        profile: "sas-session",
        needs: &[Need {
            role: "SAS WORK, SAS data",
            text: "throughput>=100MB/s",
            per: Per::Core,
            measured_by: &[],
            condition: "large sequential reads and writes through the page cache, one \
                            session per core, more data than memory",
            weight: Weight::Maker,
            source: "SAS papers on I/O subsystems: 100 MB/s for each physical core, 150 for \
                         heavy use",
            url: "https://docslib.org/doc/7044224/paper-sas1500-2015-frequently-asked-questions-reg\
                arding-storage-configurations-tony-brown-and-margaret-crevar-sas-institute-inc-cary\
                -nc",
        }],
        note: "The reference of SAS Grid Manager asks for less of a shared file system: 50 to 70 \
               MB/s for each core.",
        note_url: "http://support.sas.com/documentation/cdl/en/gridref/64808/HTML/default/p1xol4mmm\
            21hhxn1rteccxuc1wkt.htm",
    },
    Application {
        name: "sqlserver",
        title: "Microsoft SQL Server",
        profile: "sqlserver-data",
        needs: &[
            Need {
                role: "data, log",
                text: "mean<=15ms",
                per: Per::Volume,
                measured_by: &[("sqlserver-data", "main/page-read:"), ("sqlserver-log", "")],
                condition: "the load of the database, on average and consistently",
                weight: Weight::Maker,
                source: "Microsoft's support team: waits for I/O of more than 10 to 15 ms are a \
                         bottleneck",
                url: SLOW_IO,
            },
            Need {
                role: "log",
                text: "write.mean<=5ms",
                per: Per::Volume,
                measured_by: &[("sqlserver-log", "")],
                condition: "sequential writes of 512 B to 60 KiB that bypass caches",
                weight: Weight::Maker,
                source: "Microsoft, Analyzing I/O Characteristics and Sizing Storage Systems for \
                         SQL Server",
                url: "https://learn.microsoft.com/en-us/previous-versions/sql/sql-server-2008/ee410\
                    782(v=sql.100)",
            },
        ],
        note: "",
        note_url: "",
    },
    Application {
        name: "postgres",
        title: "PostgreSQL",
        profile: "pg-oltp",
        needs: &[],
        note: "No vendor requirement published. A commit waits for one flush of the write-ahead \
               log, so one session commits at most once for each flush; pg_test_fsync measures \
               that time.",
        note_url: "https://www.postgresql.org/docs/current/pgtestfsync.html",
    },
    Application {
        name: "mysql",
        title: "MySQL (InnoDB)",
        profile: "mysql",
        needs: &[],
        note: "No vendor requirement published. innodb_io_capacity states how many requests a \
               second the background threads may use; a commit waits for a flush of the redo log \
               and, with sync_binlog=1, for one of the binary log.",
        note_url: "https://dev.mysql.com/doc/refman/8.4/en/innodb-configuring-io-capacity.html",
    },
    Application {
        name: "elasticsearch",
        title: "Elasticsearch",
        profile: "elasticsearch",
        needs: &[],
        note: "No vendor requirement published. The documentation recommends SSDs and local \
               storage, and advises against NFS, SMB and volumes without provisioned IOPS.",
        note_url: "https://www.elastic.co/guide/en/elasticsearch/reference/5.x/tune-for-search-spee\
            d.html",
    },
    Application {
        name: "mongodb",
        title: "MongoDB",
        profile: "mongodb",
        needs: &[],
        note: "No vendor requirement published. The production notes recommend SSDs and RAID 10, \
               and advise against RAID 5, RAID 6 and remote file systems.",
        note_url: "https://www.mongodb.com/docs/manual/administration/production-notes/",
    },
    Application {
        name: "exchange",
        title: "Microsoft Exchange Server",
        profile: "exchange-jetstress",
        needs: &[
            Need {
                role: "database",
                text: "read.mean<=20ms",
                per: Per::Volume,
                measured_by: &[("exchange-jetstress", "main/database:")],
                condition: "the load of the mailboxes, on average",
                weight: Weight::Maker,
                source: EXCHANGE_SOURCE,
                url: EXCHANGE_ANALYZER,
            },
            Need {
                role: "log",
                text: "write.mean<=10ms",
                per: Per::Volume,
                measured_by: &[("exchange-jetstress", "main/log:")],
                condition: "sequential writes of the transaction log, on average",
                weight: Weight::Maker,
                source: EXCHANGE_SOURCE,
                url: EXCHANGE_ANALYZER,
            },
            Need {
                role: "database, log",
                text: "max<=50ms",
                per: Per::Volume,
                measured_by: &[],
                condition: "no peak of the averages beyond it",
                weight: Weight::Maker,
                source: EXCHANGE_SOURCE,
                url: EXCHANGE_ANALYZER,
            },
        ],
        note: "The analyzer looks at averages of a counter over time; the longest single request \
               of a benchmark is stricter than its peak of 50 ms.",
        note_url: EXCHANGE_ANALYZER,
    },
    Application {
        name: "vdi",
        title: "virtual desktops",
        profile: "vdi-steady",
        needs: &[Need {
            role: "desktops",
            text: "iops>=10",
            per: Per::Desktop,
            measured_by: &[],
            condition: "mostly small random writes; 14 to 20 for heavy users, several times as \
                        many while desktops start",
            weight: Weight::RuleOfThumb,
            source: "sizing articles: 8 to 10 IOPS for an average user, 14 to 20 for a heavy one",
            url: VDI_SIZING,
        }],
        note: "No vendor requirement published that holds for every desktop; measure yours.",
        note_url: VDI_SIZING,
    },
    Application {
        name: "ceph-osd",
        title: "a Ceph OSD",
        profile: "ceph-osd",
        needs: &[],
        note: "No vendor requirement published. BlueStore waits for a flush of its write-ahead \
               log, so drives without power-loss protection serve few synchronous writes; the \
               hardware recommendations say to measure small synchronous writes of a drive.",
        note_url: "https://docs.ceph.com/en/latest/start/hardware-recommendations/",
    },
    Application {
        name: "prometheus",
        title: "Prometheus",
        profile: "prometheus",
        needs: &[],
        note: "No vendor requirement published. Its storage needs a local file system that \
               conforms to POSIX; NFS and other remote file systems are not supported.",
        note_url: "https://prometheus.io/docs/prometheus/latest/storage/",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    const PAGE: &str = "../../docs/applications.md";
    const BEGIN: &str = "<!-- applications:begin -->\n";
    const END: &str = "<!-- applications:end -->";

    fn table() -> String {
        let mut text = "| application | profile | volume | requirement | condition | source |\n\
                        | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
        for one in APPLICATIONS {
            let (title, name, profile) = (one.title, one.name, one.profile);
            for need in one.needs {
                let per = match need.per {
                    Per::Volume => "",
                    Per::Core => " for each core",
                    Per::Desktop => " for each desktop",
                };
                let (role, limit, when) = (need.role, need.text, need.condition);
                let (weight, source, url) = (need.weight.word(), need.source, need.url);
                writeln!(
                    text,
                    "| {title} (`{name}`) | `{profile}` | {role} | `{limit}`{per} | {when} | \
                     {weight}: [{source}]({url}) |"
                )
                .expect("a text takes all");
            }
            if !one.note.is_empty() {
                let (note, url) = (one.note, one.note_url);
                writeln!(
                    text,
                    "| {title} (`{name}`) | `{profile}` | | | {note} | [source]({url}) |"
                )
                .expect("a text takes all");
            }
        }
        text
    }

    /// With `FATHOM_WRITE_DOCS=1` it writes the table.
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "it writes a page of the documentation"
    )]
    fn the_page_lists_every_requirement() {
        let page = std::fs::read_to_string(PAGE).expect("the page");
        let (head, rest) = page.split_once(BEGIN).expect("a begin");
        let (found, tail) = rest.split_once(END).expect("an end");
        let table = table();
        if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
            std::fs::write(PAGE, format!("{head}{BEGIN}{table}{END}{tail}")).expect("written");
            return;
        }
        assert_eq!(found, table, "write {PAGE} anew with FATHOM_WRITE_DOCS=1");
    }

    #[test]
    fn every_requirement_is_one_and_has_a_source() {
        for application in APPLICATIONS {
            for need in application.needs {
                let told = need.requirement(1.0).map(|_| ());
                assert_eq!(told, Ok(()), "{}", application.name);
                assert!(need.url.starts_with("http"), "{}", need.url);
            }
            // The peak of averages that Exchange names is no single request, which `max` is.
            let is_measured = |need: &&Need| need.per == Per::Volume && need.text != "max<=50ms";
            let mut of_volume = application.needs.iter().filter(is_measured);
            let measured = of_volume.all(|need| !need.measured_by.is_empty());
            assert!(measured, "a profile measures it: {}", application.name);
            let is_explained = !application.needs.is_empty() || application.note_url.contains("//");
            assert!(is_explained, "{}", application.name);
        }
        let names: BTreeSet<_> = APPLICATIONS.iter().map(|one| one.name).collect();
        assert_eq!(names.len(), APPLICATIONS.len());
    }

    #[test]
    fn a_profile_is_held_to_what_is_required_of_its_volume() {
        let held_to = |profile, texts: &[&str]| {
            let found: Vec<Requirement> = Application::of_profile(profile).collect();
            let expected: Result<Vec<Requirement>, _> =
                texts.iter().map(|text| text.parse()).collect();
            assert_eq!(Ok(found), expected, "{profile}");
        };
        held_to("sqlserver-log", &["mean<=15ms", "write.mean<=5ms"]);
        held_to("sqlserver-data", &["main/page-read:mean<=15ms"]);
        let exchange = ["main/database:read.mean<=20ms", "main/log:write.mean<=10ms"];
        held_to("exchange-jetstress", &exchange);
        held_to("sqlserver-backup", &[]);
    }

    /// Each has a profile that goes through the page cache, and the profile of no other does.
    #[test]
    fn the_page_cache_is_of_those_that_use_it() {
        let buffered = |one: &&Application| {
            let place = format!("../../profiles/{}.toml", one.profile);
            let text = std::fs::read_to_string(place).expect("the profile");
            text.lines().any(|line| line == "direct = false")
        };
        let names =
            |all: Vec<&Application>| -> Vec<&str> { all.iter().map(|one| one.name).collect() };
        let designed = |one: &&Application| one.page_cache_advice().is_some();
        assert_eq!(
            names(APPLICATIONS.iter().filter(designed).collect()),
            names(APPLICATIONS.iter().filter(buffered).collect())
        );
        let mut result = crate::samples::writes();
        let direct = "use direct I/O";
        assert_eq!(or_direct(&result, direct), direct);
        "kafka".clone_into(&mut result.provenance.workload.name);
        let designed = "Apache Kafka uses the page cache by design, so direct I/O would be another \
                        load. To measure the disk, run until the data exceeds the memory (--time, \
                        --size)";
        assert_eq!(or_direct(&result, direct), designed);
    }

    #[test]
    fn what_is_counted_for_cores_grows_with_them() {
        let sas = Application::named("sas").expect("an application");
        let eight = sas.needs[0].requirement(8.0).expect("a requirement");
        assert_eq!(Ok(eight), "throughput>=800.0 MB/s".parse());
        let etcd = Application::named("etcd").expect("an application");
        let eight = etcd.needs[0].requirement(8.0);
        assert_eq!(eight, "flush.p99<=10ms".parse());
    }
}
