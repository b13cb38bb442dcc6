//! The catalogue: volume types, instances, links and prices, each with its source and its days.
//!
//! The data are the CSV files of the folder `catalog/` at the top, embedded in the program. A
//! user's folder of the same form adds to them, and beats them where both know a name.

mod bill;
mod census;
mod cloud;
mod dates;
mod describe;
mod disk_limit;
mod embedded;
mod error;
mod evidence;
mod instance_store;
mod instance_type;
mod law;
mod limits;
mod link;
mod machine_prices;
mod offered;
mod order;
mod price_book;
mod remark;
mod rows;
mod terms;
mod usage;
mod volume_type;

pub use bill::{Bill, BillError, BillPart};
pub use census::Count;
pub use cloud::Cloud;
pub use dates::{AsOf, Validity, day_of};
pub use disk_limit::{DiskLimit, SeriesDisk};
pub use error::{CatalogError, Unknown};
pub use evidence::{Confidence, Evidence};
pub use instance_store::InstanceStore;
pub(crate) use instance_type::bare;
pub use instance_type::{InstanceType, LocalStore, PathLimit};
pub use jiff::civil::Date;
pub use law::{
    CountRule, Device, Fixed, Follows, Law, Media, Pooled, Provisioned, Scaled, Sharing,
    Throughput, Tier,
};
pub use limits::{Accounting, Limit, LimitError, VolumeLimits};
pub use link::Link;
pub use machine_prices::{MONTH_HOURS, MachinePrice, MachinePrices};
pub use offered::Refusal;
pub use order::{BurstChoice, VolumeOrder};
pub use price_book::{METERS, Price, PriceBook};
pub use remark::{Remark, RemarkKind};
pub use terms::{BillTerm, Conversion, LIST_PRICES, PriceTerm, TermBook, Terms};
pub use usage::Usage;
pub use volume_type::VolumeType;

use fathom_core::nearest::nearest;
use rows::Sources;
use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::Hash;

/// One file of a catalogue: its path inside the folder, as in `aws/volumes.csv`, and its text.
#[derive(Clone, Copy, Debug)]
pub struct CatalogFile<'a> {
    /// Path inside the folder.
    pub path: &'a str,
    /// The contents.
    pub text: &'a str,
}

/// Files that only a user's folder has: of the clouds of which too little is known, and of what is
/// the user's own.
const OF_USERS: [&str; 15] = [
    "rds/terms.csv",
    "oci/instances.csv",
    "oci/prices.csv",
    "oci/machine_prices.csv",
    "oci/terms.csv",
    "alibaba/instances.csv",
    "alibaba/prices.csv",
    "alibaba/machine_prices.csv",
    "alibaba/terms.csv",
    "own/volumes.csv",
    "own/instances.csv",
    "own/instance_store.csv",
    "own/prices.csv",
    "own/machine_prices.csv",
    "own/terms.csv",
];

/// All that is known of volumes, instances, links and prices.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    sources: Sources,
    volumes: Vec<VolumeType>,
    instances: Vec<InstanceType>,
    disk_limits: Vec<DiskLimit>,
    series_disks: Vec<SeriesDisk>,
    instance_stores: Vec<InstanceStore>,
    links: Vec<Link>,
    prices: PriceBook,
    machine_prices: MachinePrices,
    terms: TermBook,
}

impl Catalog {
    /// The catalogue that comes with the program.
    ///
    /// # Panics
    ///
    /// Never in a program that passed its tests: the embedded files are read there.
    pub fn embedded() -> Self {
        let mut catalog = Self::default();
        for file in embedded::files() {
            let text = Cow::Borrowed(file.text);
            catalog
                .add_text(&file, text)
                .expect("a test reads the embedded files");
        }
        catalog
    }

    /// The paths inside a catalogue's folder that are read.
    pub fn paths() -> impl Iterator<Item = &'static str> {
        embedded::paths().chain(OF_USERS)
    }

    /// Adds a file of a folder. What it says of a name beats what was known of it before: all
    /// rows of that name are replaced.
    ///
    /// # Errors
    ///
    /// [`CatalogError`] with file and line where the text is not of the form.
    pub fn add(&mut self, file: &CatalogFile<'_>) -> Result<(), CatalogError> {
        self.add_text(file, Cow::Owned(file.text.to_owned()))
    }

    /// Adds rows to those that are known, as rows of the same file would be: nothing is replaced,
    /// and of two rows of one thing the one nearest to the day that is asked for counts.
    ///
    /// # Errors
    ///
    /// As [`Self::add`]; also for files other than prices and instances.
    pub fn overlay(&mut self, file: &CatalogFile<'_>) -> Result<(), CatalogError> {
        let (folder, name) = file.path.split_once('/').unwrap_or((file.path, ""));
        let cloud = Cloud::of_folder(folder).ok_or_else(|| CatalogError::unknown_file(file))?;
        match name {
            "prices.csv" => self.prices.extend(file, cloud, &self.sources),
            "machine_prices.csv" => {
                let text = Cow::Owned(file.text.to_owned());
                self.machine_prices.extend(text, file, cloud, &self.sources)
            }
            "instances.csv" => {
                let new = instance_type::read(file, cloud, &self.sources)?;
                self.instances.extend(new);
                Ok(())
            }
            _ => Err(CatalogError::unknown_file(file)),
        }
    }

    /// As [`Self::add`]; text that lives as long as the program is not copied.
    fn add_text(
        &mut self,
        file: &CatalogFile<'_>,
        text: Cow<'static, str>,
    ) -> Result<(), CatalogError> {
        if file.path == "sources.csv" {
            self.sources.add(file)?;
            return Ok(());
        }
        let (folder, name) = file.path.split_once('/').unwrap_or((file.path, ""));
        let cloud = Cloud::of_folder(folder).ok_or_else(|| CatalogError::unknown_file(file))?;
        match name {
            "volumes.csv" => {
                let new = volume_type::read(file, cloud, &self.sources)?;
                replace(&mut self.volumes, new, |one| (one.cloud, one.name.clone()));
            }
            "instances.csv" => {
                let new = instance_type::read(file, cloud, &self.sources)?;
                replace(&mut self.instances, new, |one| {
                    (one.cloud, one.name.clone())
                });
            }
            "links.csv" => {
                let new = link::read(file, &self.sources)?;
                replace(&mut self.links, new, |one| one.name.clone());
            }
            "prices.csv" => self.prices.add(file, cloud, &self.sources)?,
            "machine_prices.csv" => {
                self.machine_prices.add(text, file, cloud, &self.sources)?;
            }
            "terms.csv" => {
                let new = terms::read(file, cloud, &self.sources)?;
                replace(&mut self.terms.rows, new, terms::TermRow::about);
            }
            "disk_limits.csv" if cloud == Cloud::Gcp => {
                let new = disk_limit::read(file, &self.sources)?;
                replace(&mut self.disk_limits, new, |one| {
                    (one.series.clone(), one.disk.clone())
                });
            }
            "series_disks.csv" if matches!(cloud, Cloud::Azure | Cloud::Gcp) => {
                let new = disk_limit::read_series(file, cloud, &self.sources)?;
                replace(&mut self.series_disks, new, |one| {
                    (one.series.clone(), one.disk.clone())
                });
            }
            "instance_store.csv" => {
                let new = instance_store::read(file, cloud, &self.sources)?;
                replace(&mut self.instance_stores, new, |one| one.machine.clone());
            }
            _ => return Err(CatalogError::unknown_file(file)),
        }
        Ok(())
    }

    /// All volume types, every period of each.
    pub fn volumes(&self) -> &[VolumeType] {
        &self.volumes
    }

    /// All instances, every set of limits of each.
    pub fn instances(&self) -> &[InstanceType] {
        &self.instances
    }

    /// Links and buses.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// What machines cost.
    pub const fn machine_prices(&self) -> &MachinePrices {
        &self.machine_prices
    }

    /// What licences and commitments do to the price of a machine.
    pub const fn terms(&self) -> &TermBook {
        &self.terms
    }

    /// What a machine lets through to all its disks of a type, where that is stated apart.
    pub fn disk_limit(&self, instance: &InstanceType, disk: &str) -> Option<&DiskLimit> {
        let mut rows = self.disk_limits.iter();
        rows.find(|row| row.is_of(instance, disk))
    }

    /// Whether a machine takes disks of a type; none where no source states it.
    pub fn takes(&self, instance: &InstanceType, disk: &VolumeType) -> Option<bool> {
        let rows = self.series_disks.iter();
        let mut own = rows.filter(|row| row.is_about(instance, disk)).peekable();
        own.peek()?;
        let vcpus = instance.vcpus.unwrap_or(0);
        let (mut is_taken, mut has_yes) = (None, false);
        for row in own {
            let is_here = (row.vcpus.0..=row.vcpus.1).contains(&vcpus);
            has_yes |= row.takes;
            if is_here {
                is_taken = Some(row.takes);
            }
        }
        // A range outside of which a type is taken is a limit.
        is_taken.or(has_yes.then_some(false))
    }

    /// The disks in the host of a machine, as far as a source states what they give.
    pub fn instance_store(&self, instance: &InstanceType) -> Option<&InstanceStore> {
        let mut rows = self.instance_stores.iter();
        rows.find(|row| row.machine == instance.name)
    }

    /// What things cost.
    pub const fn prices(&self) -> &PriceBook {
        &self.prices
    }

    /// A volume type as it was on a day. Outside the days that are known, the nearest period is
    /// taken; [`Validity::holds`] tells.
    ///
    /// # Errors
    ///
    /// [`Unknown`] with the nearest names.
    pub fn volume(&self, name: &str, at: Date) -> Result<&VolumeType, Unknown> {
        let periods = self.volumes.iter().filter(|known| known.is_called(name));
        nearest_period(periods, at, |known| &known.validity).ok_or_else(|| {
            let names = self.volumes.iter().map(|known| known.name.as_str());
            Unknown::new("volume type", name, names)
        })
    }

    /// The smallest tier of a family that serves a size, as `premium-ssd` of 1,000 GiB is P30.
    pub fn tier(&self, family: &str, size_gib: f64, at: Date) -> Option<&VolumeType> {
        let tiers = self.volumes.iter().filter(|known| {
            known.is_of_family(family) && known.min_gib < size_gib && size_gib <= known.max_gib
        });
        nearest_period(tiers, at, |known| &known.validity)
    }

    /// An instance as it was on a day; the nearest documented day before it, or else after it.
    /// `interface` chooses where limits differ by it (`nvme` or `scsi`); otherwise the first row.
    ///
    /// # Errors
    ///
    /// [`Unknown`] with the nearest names.
    pub fn instance(
        &self,
        name: &str,
        interface: Option<&str>,
        at: Date,
    ) -> Result<&InstanceType, Unknown> {
        let find = |name: &str| {
            let rows = self.instances.iter().filter(|known| known.is_called(name));
            let fits = |known: &&InstanceType| {
                interface.is_none() || known.interface.as_deref() == interface
            };
            nearest_period(rows.clone().filter(fits), at, |known| &known.validity)
                .or_else(|| nearest_period(rows, at, |known| &known.validity))
        };
        find(name)
            .or_else(|| find(&instance_type::unconstrained(name)?))
            .ok_or_else(|| {
                let names = self.instances.iter().map(|known| known.name.as_str());
                Unknown::new("instance type", name, names)
            })
    }

    /// What is to be said of an instance's limits for a day: that they were documented on another
    /// one, that a later document says otherwise, that something is missing.
    pub fn instance_remarks(&self, instance: &InstanceType, at: Date) -> Vec<Remark> {
        let mut remarks = Vec::new();
        let name = &instance.name;
        let (from, to) = (instance.validity.from, instance.validity.to);
        let rows = self.instances.iter().filter(|known| known.name == *name);
        let later = rows
            .filter_map(|known| known.validity.from)
            .filter(|day| *day > at)
            .min();
        match (from, to, later) {
            (Some(from), _, _) if from > at => remarks.push(Remark::warning(format!(
                "the limits of {name} are known since {from} only; those are taken for {at}"
            ))),
            (_, Some(to), Some(later)) if to < at => remarks.push(Remark::note(format!(
                "the limits of {name} are those documented until {to}; the next document, of \
                 {later}, has others"
            ))),
            (None, _, _) if instance.evidence.as_of.date().is_some_and(|day| day > at) => {
                remarks.push(Remark::note(format!(
                    "the limits of {name} are those of {}; older ones are not known",
                    instance.evidence.as_of
                )));
            }
            _ => {}
        }
        let unknown_base = |path: &PathLimit| {
            path.iops.is_none() && path.max_iops.is_some()
                || path.bytes_per_second.is_none() && path.max_bytes_per_second.is_some()
        };
        if instance.network.as_ref().is_some_and(unknown_base) {
            remarks.push(Remark::warning(format!(
                "the document of {} gives the maximum of {name} only, which holds for 30 minutes \
                 a day; it is taken as sustained",
                instance.evidence.as_of
            )));
        }
        if let Some(warning) = instance.evidence.confidence.warning() {
            remarks.push(Remark::warning(format!(
                "the limits of {name} are {warning}"
            )));
        }
        remarks.extend(
            instance
                .evidence
                .note
                .iter()
                .map(|note| Remark::note(format!("{name}: {note}"))),
        );
        remarks
    }

    /// A link by its name, as in `sata-6g` or `pcie3`.
    pub fn link(&self, name: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.name == name)
    }
}

/// The known row whose period holds on a day; otherwise the latest before it, or else the first.
fn nearest_period<'a, T>(
    rows: impl Iterator<Item = &'a T>,
    at: Date,
    validity: impl Fn(&T) -> &Validity,
) -> Option<&'a T> {
    let mut best: Option<&T> = None;
    for row in rows {
        let better = best.is_none_or(|known| validity(row).is_nearer(validity(known), at));
        if better {
            best = Some(row);
        }
    }
    best
}

/// Puts new rows in the place of those that are about the same.
fn replace<T, K: Eq + Hash>(known: &mut Vec<T>, new: Vec<T>, about: impl Fn(&T) -> K) {
    let named: HashSet<K> = new.iter().map(&about).collect();
    known.retain(|row| !named.contains(&about(row)));
    known.extend(new);
}

/// The known name that was probably meant.
fn meant<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let names: Vec<&str> = names.collect();
    let lower: Vec<String> = names.iter().map(|known| known.to_lowercase()).collect();
    let found = nearest(name, lower.iter().map(String::as_str))?;
    let index = lower.iter().position(|known| known == found)?;
    Some(names[index])
}

#[cfg(test)]
mod tests;
