//! From what is ordered to the limits that hold: caps with their bursts, and remarks.

use super::law::{Device, Follows, Law, Pooled, Provisioned, Scaled, Sharing, Throughput, Tier};
use super::order::{BurstChoice, VolumeOrder};
use super::{Cloud, CountRule, Date, Refusal, Remark, VolumeType};
use fathom_core::{Cap, CapBurst, CapOwner, CapScope, CapUnit, figure};
use serde::Serialize;

/// How requests are counted against one limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Accounting {
    /// Each request once, each byte once.
    #[default]
    Once,
    /// A request counts once for each started unit of this number of bytes.
    Split(u64),
    /// As `Split`; requests that continue each other are merged to units of this number of bytes.
    SplitMerge(u64),
    /// As `SplitMerge`; a request that continues none counts whole units, of bytes too.
    WholeMerge(u64),
}

/// A limit of a volume or an instance, and how requests are counted against it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limit {
    /// The limit, with its name, its burst and its source.
    pub cap: Cap,
    /// How requests are counted against it.
    pub accounting: Accounting,
}

/// The limits of one volume as ordered.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VolumeLimits {
    /// Name and size for people: `gp2 of 250 GiB`.
    pub title: String,
    /// The limits, requests before bytes.
    pub limits: Vec<Limit>,
    /// Remarks: warnings, assumptions, notes.
    pub remarks: Vec<Remark>,
}

impl VolumeLimits {
    /// The limit of a unit that counts reads and writes together, or reads alone.
    pub fn cap(&self, unit: CapUnit) -> Option<&Cap> {
        let mut caps = self.limits.iter().map(|limit| &limit.cap);
        caps.find(|cap| cap.unit == unit && cap.scope != CapScope::Writes)
    }
}

/// An invalid order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// Something that the type needs is missing.
    #[error("{volume} needs its {what}, as in `{example}`")]
    Missing {
        /// The volume type.
        volume: String,
        /// What is missing.
        what: &'static str,
        /// A good order.
        example: String,
    },
    /// Something that cannot be chosen of this type.
    #[error("{volume} has no {what} to choose")]
    NotChosen {
        /// The volume type.
        volume: String,
        /// What was given.
        what: &'static str,
    },
    /// A size that cannot be.
    #[error("{volume} cannot have {size}: {cause}")]
    Size {
        /// The volume type.
        volume: String,
        /// What was given.
        size: String,
        /// Why not.
        cause: String,
    },
}

impl VolumeType {
    /// The limits of a volume of this type. A choice beyond what the catalogue knows is taken and
    /// warned of: the vendor may have raised the limit since.
    ///
    /// # Errors
    ///
    /// [`LimitError`] where the order lacks something, chooses what cannot be chosen, or has a
    /// size that no rule covers.
    pub fn limits(&self, order: &VolumeOrder, at: Date) -> Result<VolumeLimits, LimitError> {
        let mut work = Work {
            volume: self,
            order,
            limits: Vec::new(),
            remarks: self.remarks(at),
        };
        work.refuse_options()?;
        work.check_size()?;
        work.warn_of_refusals();
        match &self.law {
            Law::Scaled(law) => work.scaled(law)?,
            Law::Provisioned(law) => work.provisioned(law)?,
            Law::Throughput(law) => work.throughput(law)?,
            Law::Tier(law) => work.tier(law),
            Law::Pooled(law) => work.pooled(law)?,
            Law::Follows(law) => work.follows(law)?,
            Law::Fixed(law) => {
                work.requests(law.iops, CapScope::All, None);
                work.bytes(law.bytes, CapScope::All, None);
            }
            Law::Device(law) => work.device(law)?,
        }
        Ok(VolumeLimits {
            title: title(self, order),
            limits: work.limits,
            remarks: work.remarks,
        })
    }

    /// What is to be said of this row for a day: that it did not hold then, that it is not
    /// verified, what its note says.
    pub fn remarks(&self, at: Date) -> Vec<Remark> {
        let mut remarks = Vec::new();
        let name = &self.name;
        if !self.validity.holds(at) {
            remarks.push(Remark::warning(format!(
                "no limits of {name} are known for {at}; those used here held {}",
                self.validity
            )));
        } else if self.validity.from.is_none()
            && self.evidence.as_of.date().is_some_and(|day| day > at)
        {
            remarks.push(Remark::note(format!(
                "the limits of {name} are those of {}; older ones are not known",
                self.evidence.as_of
            )));
        }
        if let Some(warning) = self.evidence.confidence.warning() {
            let note = self.evidence.note.as_deref().unwrap_or_default();
            let beside = if note.is_empty() { "" } else { ": " };
            remarks.push(Remark::warning(format!(
                "the limits of {name} are {warning}{beside}{note}"
            )));
        }
        remarks
    }
}

/// `gp2 of 250 GiB`, `gp3 of 1,024 GiB with 16,000 IOPS`, `P30`.
fn title(volume: &VolumeType, order: &VolumeOrder) -> String {
    let mut title = volume.name.clone();
    if let Some(gib) = order.size_gib {
        title = format!("{title} of {} GiB", gib_words(gib));
    }
    let mut with: Vec<String> = Vec::new();
    with.extend(order.iops.map(|iops| figure::iops(iops) + " IOPS"));
    with.extend(
        order
            .bytes_per_second
            .map(|rate| format!("{} {}", rate_words(volume, rate), volume.unit())),
    );
    if !with.is_empty() {
        title = format!("{title} with {}", with.join(" and "));
    }
    title
}

pub(super) fn gib_words(gib: f64) -> String {
    if gib.fract() == 0.0 {
        figure::count(gib as u64)
    } else {
        figure::significant(gib)
    }
}

/// A rate as a number of the vendor's units.
pub(super) fn rate_words(volume: &VolumeType, bytes_per_second: f64) -> String {
    gib_words(bytes_per_second / volume.unit_bytes)
}

struct Work<'a> {
    volume: &'a VolumeType,
    order: &'a VolumeOrder,
    limits: Vec<Limit>,
    remarks: Vec<Remark>,
}

impl Work<'_> {
    fn not_chosen(&self, what: &'static str) -> LimitError {
        LimitError::NotChosen {
            volume: self.volume.name.clone(),
            what,
        }
    }

    fn missing(&self, what: &'static str, example: &str) -> LimitError {
        LimitError::Missing {
            volume: self.volume.name.clone(),
            what,
            example: format!("{}:{example}", self.volume.name),
        }
    }

    /// What this law does not let anybody choose.
    fn refuse_options(&self) -> Result<(), LimitError> {
        let order = self.order;
        let (iops, bytes) = match &self.volume.law {
            Law::Provisioned(law) => (true, law.bytes_included.is_some()),
            Law::Follows(_) => (false, true),
            Law::Device(_) => (true, true),
            _ => (false, false),
        };
        let (on_demand, plus, credit) = match &self.volume.law {
            Law::Tier(law) => (
                law.on_demand.is_some(),
                law.plus.is_some(),
                law.burst.is_some(),
            ),
            Law::Scaled(law) => (false, false, law.burst.is_some()),
            Law::Throughput(_) => (false, false, true),
            _ => (false, false, false),
        };
        let given = [
            (order.iops.is_some() && !iops, "IOPS"),
            (order.bytes_per_second.is_some() && !bytes, "throughput"),
            (
                order.burst == BurstChoice::OnDemand && !on_demand,
                "burst on demand",
            ),
            (order.plus && !plus, "performance plus"),
            (order.credit < 1.0 && !credit, "credit"),
        ];
        match given.iter().find(|(is_wrong, _)| *is_wrong) {
            Some((_, what)) => Err(self.not_chosen(what)),
            None => Ok(()),
        }
    }

    /// What the vendor is not known to sell is taken as given: it may have raised a limit since.
    fn warn_of_refusals(&mut self) {
        let (name, as_of) = (&self.volume.name, &self.volume.evidence.as_of);
        let refusals = self.volume.refusals(self.order).into_iter();
        self.remarks
            .extend(refusals.map(|Refusal { asked, limit }| {
                Remark::not_offered(format!(
                    "{asked} not on offer for {name} as far as the catalogue knows ({limit}, as of \
                 {as_of}); taken as given"
                ))
            }));
    }

    /// A tier covers no other sizes at all, and RDS has another storage below its stripes.
    fn check_size(&self) -> Result<(), LimitError> {
        let Some(gib) = self.order.size_gib else {
            return Ok(());
        };
        let volume = self.volume;
        let (name, words) = (&volume.name, gib_words(gib));
        let error = |cause: String| LimitError::Size {
            volume: name.clone(),
            size: format!("{words} GiB"),
            cause,
        };
        if !gib.is_finite() || gib <= 0.0 {
            return Err(error("a size is more than nothing".to_owned()));
        }
        if matches!(volume.law, Law::Tier(_)) {
            if gib > volume.max_gib {
                let cause = format!("it ends at {} GiB", gib_words(volume.max_gib));
                return Err(error(cause));
            }
            return Ok(());
        }
        if volume.cloud == Cloud::Rds && gib < volume.min_gib {
            // Whoever asks RDS for less gets another storage, without the stripe.
            let words = gib_words(volume.min_gib);
            let cause = match name.as_str() {
                "rds-gp2" | "rds-gp3" | "rds-io1" | "rds-oracle-gp3" => {
                    format!("RDS stripes it from {words} GiB on; below that it is {name}-small")
                }
                _ => format!("it begins at {words} GiB"),
            };
            return Err(error(cause));
        }
        Ok(())
    }

    fn size(&self, example: &str) -> Result<f64, LimitError> {
        self.order
            .size_gib
            .ok_or_else(|| self.missing("size", example))
    }

    fn cap(&mut self, unit: CapUnit, value: f64, scope: CapScope, burst: Option<CapBurst>) {
        let accounting = match self.volume.count {
            None => Accounting::Once,
            Some((CountRule::Split, bytes)) => Accounting::Split(bytes),
            Some((CountRule::SplitMerge, bytes)) => Accounting::SplitMerge(bytes),
            Some((CountRule::WholeMerge, bytes)) => Accounting::WholeMerge(bytes),
        };
        // Splitting and merging change how many requests there are, not how many bytes.
        let accounting = match (unit, accounting) {
            (CapUnit::BytesPerSecond, Accounting::Split(_) | Accounting::SplitMerge(_)) => {
                Accounting::Once
            }
            (_, other) => other,
        };
        let request_bytes = match (unit, self.volume.count) {
            (CapUnit::Iops, Some((_, bytes))) => Some(bytes),
            _ => None,
        };
        self.limits.push(Limit {
            cap: Cap {
                name: self.volume.name.clone(),
                unit,
                owner: CapOwner::Volume,
                scope,
                value,
                request_bytes,
                burst: burst.filter(|burst| burst.value > value),
                source: self.volume.evidence.to_string(),
            },
            accounting,
        });
    }

    fn requests(&mut self, value: f64, scope: CapScope, burst: Option<CapBurst>) {
        self.cap(CapUnit::Iops, value, scope, burst);
    }

    fn bytes(&mut self, value: f64, scope: CapScope, burst: Option<CapBurst>) {
        self.cap(CapUnit::BytesPerSecond, value, scope, burst);
    }

    fn scaled(&mut self, law: &Scaled) -> Result<(), LimitError> {
        let gib = self.size("250GiB")?;
        let base = (law.iops_per_gib * gib).clamp(law.iops_min, law.iops_max);
        let burst = law
            .burst
            .map(|(value, capacity)| CapBurst { value, capacity });
        self.requests(base, CapScope::All, burst);
        let bytes = match law.small {
            Some((small_gib, rate)) if gib <= small_gib => rate,
            _ => law.bytes_max,
        };
        self.bytes(bytes, CapScope::All, None);
        Ok(())
    }

    fn provisioned(&mut self, law: &Provisioned) -> Result<(), LimitError> {
        self.size("1TiB:16000iops")?;
        let iops = self
            .order
            .iops
            .or(law.iops_included)
            .ok_or_else(|| self.missing("IOPS", "200GiB:10000iops"))?;
        if let Some(other) = law.iops_other_instances.filter(|other| iops > *other) {
            self.remarks.push(Remark::note(format!(
                "{} above {} IOPS needs a Nitro instance that supports it",
                self.volume.name,
                figure::iops(other)
            )));
        }
        let bytes = self.provisioned_bytes(law, iops)?;
        self.requests(iops, CapScope::All, None);
        match law.bytes_write_max.filter(|writes| *writes < bytes) {
            Some(writes) => {
                self.bytes(bytes, CapScope::Reads, None);
                self.bytes(writes, CapScope::Writes, None);
            }
            None => self.bytes(bytes, CapScope::All, None),
        }
        Ok(())
    }

    /// Bytes a second: as ordered, as included, or as follows from the IOPS.
    fn provisioned_bytes(&self, law: &Provisioned, iops: f64) -> Result<f64, LimitError> {
        let Some(included) = law.bytes_included else {
            return Ok(law.most_bytes(iops));
        };
        // Where IOPS have to be ordered, so has throughput: the least of it is no default.
        if law.iops_included.is_none() && self.order.bytes_per_second.is_none() {
            return Err(self.missing("throughput", "1TiB:50000iops:1000MB/s"));
        }
        Ok(self.order.bytes_per_second.unwrap_or(included))
    }

    fn throughput(&mut self, law: &Throughput) -> Result<(), LimitError> {
        let gib = self.size("2TiB")?;
        self.requests(law.iops_max, CapScope::All, None);
        let rate = |(per_gib, most): (f64, f64)| (per_gib * gib).min(most);
        let burst = CapBurst {
            value: rate(law.burst),
            capacity: law.bucket_bytes_per_gib * gib,
        };
        self.bytes(rate(law.base), CapScope::All, Some(burst));
        Ok(())
    }

    fn tier(&mut self, law: &Tier) {
        let (iops, bytes) = match (self.order.plus, law.plus) {
            (true, Some(plus)) => plus,
            _ => (law.iops, law.bytes),
        };
        if let (BurstChoice::OnDemand, Some((burst_iops, burst_bytes))) =
            (self.order.burst, law.on_demand)
        {
            self.remarks.push(Remark::note(format!(
                "burst on demand of {} is paid for by the hour and by the transaction",
                self.volume.name
            )));
            self.requests(burst_iops, CapScope::All, None);
            self.bytes(burst_bytes, CapScope::All, None);
            return;
        }
        let bucket = |base: f64, burst: f64, seconds: f64| CapBurst {
            value: burst,
            capacity: seconds * (burst - base),
        };
        let of_iops = law.burst.map(|(peak, _, s)| bucket(iops, peak, s));
        let of_bytes = law.burst.map(|(_, peak, s)| bucket(bytes, peak, s));
        self.requests(iops, CapScope::All, of_iops);
        self.bytes(bytes, CapScope::All, of_bytes);
    }

    fn pooled(&mut self, law: &Pooled) -> Result<(), LimitError> {
        let gib = self.size("1TiB")?;
        let (iops, bytes) = law.included;
        let (reads, writes, rate) = law.per_gib;
        let (reads_max, writes_max, read_bytes_max, write_bytes_max) = law.max;
        let (reads, writes) = (
            (iops + reads * gib).min(reads_max),
            (iops + writes * gib).min(writes_max),
        );
        let rate = bytes + rate * gib;
        let (read_bytes, write_bytes) = (rate.min(read_bytes_max), rate.min(write_bytes_max));
        // Where they share a maximum, each also has its own only if that is less.
        match law.sharing {
            Sharing::Apart => {}
            Sharing::Iops => self.requests(reads.max(writes), CapScope::All, None),
            Sharing::All => {
                self.requests(reads.max(writes), CapScope::All, None);
                self.bytes(read_bytes.max(write_bytes), CapScope::All, None);
            }
        }
        let is_apart = law.sharing == Sharing::Apart;
        let own = |rate: f64, other: f64, scope: CapScope, is_shared: bool| {
            (!is_shared || rate < other).then_some((rate, scope))
        };
        let requests = [
            own(reads, writes, CapScope::Reads, !is_apart),
            own(writes, reads, CapScope::Writes, !is_apart),
        ];
        let is_shared = law.sharing == Sharing::All;
        let bytes = [
            own(read_bytes, write_bytes, CapScope::Reads, is_shared),
            own(write_bytes, read_bytes, CapScope::Writes, is_shared),
        ];
        for (rate, scope) in requests.into_iter().flatten() {
            self.requests(rate, scope, None);
        }
        for (rate, scope) in bytes.into_iter().flatten() {
            self.bytes(rate, scope, None);
        }
        Ok(())
    }

    fn follows(&mut self, law: &Follows) -> Result<(), LimitError> {
        self.size("2TiB:600MiB/s")?;
        let asked = self.order.bytes_per_second;
        let bytes = asked.ok_or_else(|| self.missing("throughput", "2TiB:600MiB/s"))?;
        let iops = (bytes * law.iops_per_byte).min(law.iops_max);
        self.requests(iops, CapScope::All, None);
        self.bytes(bytes, CapScope::All, None);
        Ok(())
    }

    fn device(&mut self, law: &Device) -> Result<(), LimitError> {
        let order = self.order;
        let iops = match (order.iops, law.random_iops()) {
            (Some(iops), _) => iops,
            // The seek itself limits; a cap would only repeat it.
            (None, Some(_)) => {
                if let Some(rate) = order.bytes_per_second {
                    self.bytes(rate, CapScope::All, None);
                }
                return Ok(());
            }
            (None, None) => return Err(self.missing("IOPS", "480GB:90000iops:500MB/s")),
        };
        self.requests(iops, CapScope::All, None);
        let rate = order
            .bytes_per_second
            .ok_or_else(|| self.missing("throughput", "480GB:90000iops:500MB/s"))?;
        self.bytes(rate, CapScope::All, None);
        Ok(())
    }
}
