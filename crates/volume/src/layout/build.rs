//! From a layout to the model: limits from the catalogue, devices, and the instance before them.

use super::chunk::usual_chunk;
use super::resolve::resolve;
use super::{Array, Layout, RaidLevel, Spread, VolumeText};
use crate::catalog::{
    Accounting, Catalog, Cloud, Date, InstanceType, Law, Limit, LimitError, Media, PathLimit,
    Remark, Unknown, VolumeOrder, VolumeType,
};
use crate::classes::{ClassFigure, class_figures};
use crate::models::{
    Device, HostCache, Limiter, Mirror, Node, Parity, Roles, Seek, ServiceLaw, Stage, Stripe,
    System,
};
use fathom_core::{Cap, CapBurst, CapOwner, CapScope, CapUnit, figure};

const GIB: f64 = 1_073_741_824.0;

/// The inputs of a model apart from the layout.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// The instance before the volumes.
    pub instance: Option<&'a InstanceType>,
    /// Share of its full buckets that the instance begins with, 0 to 1.
    pub instance_credit: f64,
    /// Share of reads that the host's cache answers, 0 to 1; none for no cache.
    pub cache_hits: Option<f64>,
    /// What each request takes once the limits let it through; none for what is usual.
    pub service: Option<ServiceLaw>,
    /// Distribution of service times.
    pub spread: Spread,
    /// Requests that a volume serves at once, others waiting in line; none for all.
    pub servers: Option<u32>,
    /// Seed of service times.
    pub seed: u64,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            instance: None,
            instance_credit: 1.0,
            cache_hits: None,
            service: None,
            spread: Spread::None,
            servers: None,
            seed: 1,
        }
    }
}

/// A model with remarks.
#[derive(Clone, Debug)]
pub struct Built {
    /// The model.
    pub system: System,
    /// Each volume as ordered, with its type; in the order of the layout.
    pub orders: Vec<(VolumeType, VolumeOrder)>,
    /// The limits of all volumes together and of the instance, for attribution. Those of volumes
    /// only where they add up: one volume, or a stripe of equal ones.
    pub caps: Vec<Cap>,
    /// Whether a disk in it sorts its queue and seeks by distance, which the closed form does not.
    pub sorts: bool,
    /// Warnings, assumptions and notes, each once.
    pub remarks: Vec<Remark>,
}

/// A layout that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A name that the catalogue does not know.
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// An invalid order.
    #[error(transparent)]
    Limit(#[from] LimitError),
    /// A volume of another cloud than the instance.
    #[error("{volume} is of {of}, {instance} of {other}")]
    Clouds {
        /// The volume type.
        volume: String,
        /// The cloud of the instance.
        of: Cloud,
        /// As the user named it.
        instance: String,
        /// The cloud of the volume.
        other: Cloud,
    },
    /// A cache on an instance that has none.
    #[error("{instance} has no host cache that the catalogue knows")]
    NoCache {
        /// The instance, or `no instance`.
        instance: String,
    },
    /// A device without a size.
    #[error("{volume} needs its size, as in `{volume}:480GB`")]
    NoSize {
        /// The volume type.
        volume: String,
    },
}

impl Layout {
    /// The model of a layout on a day.
    ///
    /// # Errors
    ///
    /// [`BuildError`] where the catalogue does not know a name, or an order is invalid.
    pub fn build(
        &self,
        catalog: &Catalog,
        at: Date,
        options: &Options<'_>,
    ) -> Result<Built, BuildError> {
        let mut builder = Builder::new(catalog, at, options);
        builder.check_instance(self);
        builder.make_pools(self)?;
        let root = builder.node(self)?;
        // What is counted several times adds up to no rate of the load.
        let is_cut = self.with_larger_chunks(catalog, at).is_some();
        let of_volumes = if is_cut {
            &[][..]
        } else {
            builder.volume_caps.as_slice()
        };
        let caps = together(self, &builder.instance_caps, of_volumes);
        Ok(builder.built(&self.to_string(), root, caps))
    }
}

/// The model of several roles on a day, each with volumes of its own, behind one instance.
///
/// # Errors
///
/// [`BuildError`] where the catalogue does not know a name, or an order is invalid.
pub fn build_roles(
    roles: &[(String, Layout)],
    catalog: &Catalog,
    at: Date,
    options: &Options<'_>,
) -> Result<Built, BuildError> {
    let mut builder = Builder::new(catalog, at, options);
    let layouts: Vec<Layout> = roles.iter().map(|(_, layout)| layout.clone()).collect();
    // For the instance they are all volumes, whatever their purpose.
    let all = Layout::Array(Array {
        level: RaidLevel::Raid0,
        members: layouts,
        chunk: None,
    });
    builder.check_instance(&all);
    builder.make_pools(&all)?;
    let mut nodes = Vec::new();
    for (role, layout) in roles {
        let first = builder.limiters.len();
        nodes.push(builder.node(layout)?);
        let of_instance = builder.instance_caps.iter().map(|cap| cap.name.clone());
        let of_instance: Vec<String> = of_instance.collect();
        for limiter in &mut builder.limiters[first..] {
            limiter.name_for(role, &of_instance);
        }
    }
    let title: Vec<String> = roles
        .iter()
        .map(|(role, layout)| format!("{role}={layout}"))
        .collect();
    let caps = builder.instance_caps.clone();
    let root = Node::Roles(Roles::new(nodes));
    Ok(builder.built(&title.join(", "), root, caps))
}

struct Builder<'a> {
    catalog: &'a Catalog,
    at: Date,
    options: &'a Options<'a>,
    limiters: Vec<Limiter>,
    caches: Vec<HostCache>,
    /// The instance's ways to volumes, once a volume has needed them.
    network: Option<Stage>,
    fast: Option<Stage>,
    /// Limits that all disks of a type share, by its name.
    pools: Vec<(String, Stage)>,
    /// Limits of the instance to all volumes of a type, by its name.
    behind: Vec<(String, Stage)>,
    orders: Vec<(VolumeType, VolumeOrder)>,
    instance_caps: Vec<Cap>,
    /// Those of the first volume.
    volume_caps: Vec<Cap>,
    sorts: bool,
    remarks: Vec<Remark>,
}

/// The limits of a layout as one: of equal volumes in a stripe they add up.
fn together(layout: &Layout, instance: &[Cap], volume: &[Cap]) -> Vec<Cap> {
    let volumes = layout.volumes();
    let adds_up = match layout {
        Layout::Volume(_) => true,
        Layout::Array(array) => {
            let is_flat = array
                .members
                .iter()
                .all(|member| matches!(member, Layout::Volume(_)));
            array.level == RaidLevel::Raid0
                && is_flat
                && volumes.windows(2).all(|pair| pair[0] == pair[1])
        }
    };
    let count = volumes.len() as f64;
    let all = |cap: &Cap| Cap {
        name: if volumes.len() > 1 {
            format!("{}x {}", volumes.len(), cap.name)
        } else {
            cap.name.clone()
        },
        value: cap.value * count,
        burst: cap.burst.map(|burst| CapBurst {
            value: burst.value * count,
            capacity: burst.capacity * count,
        }),
        ..cap.clone()
    };
    let of_volumes = volume.iter().filter(|_| adds_up).map(all);
    instance.iter().cloned().chain(of_volumes).collect()
}

impl<'a> Builder<'a> {
    fn new(catalog: &'a Catalog, at: Date, options: &'a Options<'a>) -> Self {
        Self {
            catalog,
            at,
            options,
            limiters: Vec::new(),
            caches: Vec::new(),
            network: None,
            fast: None,
            pools: Vec::new(),
            behind: Vec::new(),
            orders: Vec::new(),
            instance_caps: Vec::new(),
            volume_caps: Vec::new(),
            sorts: false,
            remarks: Vec::new(),
        }
    }

    /// The model, with what was said on the way, each once.
    fn built(self, layout: &str, root: Node, caps: Vec<Cap>) -> Built {
        let mut remarks: Vec<Remark> = Vec::new();
        for remark in self.remarks {
            if !remarks.contains(&remark) {
                remarks.push(remark);
            }
        }
        let under = self
            .options
            .instance
            .map_or_else(String::new, |instance| format!(" under {}", instance.name));
        Built {
            system: System::new(format!("{layout}{under}"), root, self.limiters, self.caches),
            caps,
            orders: self.orders,
            sorts: self.sorts,
            remarks,
        }
    }

    /// Adds limits to the list; the stage names their places.
    fn stage(&mut self, name: Option<&str>, limits: &[Limit], credit: f64) -> Stage {
        let first = self.limiters.len();
        let new = limits
            .iter()
            .map(|limit| Limiter::new(name.unwrap_or(&limit.cap.name), limit, credit));
        self.limiters.extend(new);
        Stage((first..self.limiters.len()).map(|i| i as u16).collect())
    }

    fn check_instance(&mut self, layout: &Layout) {
        let Some(instance) = self.options.instance else {
            return;
        };
        self.remarks
            .extend(self.catalog.instance_remarks(instance, self.at));
        let is_local = |text: &&VolumeText| {
            let volume = self.catalog.volume(&text.name, self.at);
            volume.is_ok_and(|volume| matches!(volume.law, Law::Device(_)))
        };
        let attached = || layout.volumes().into_iter().filter(|text| !is_local(text));
        let volumes = attached().count();
        if let Some(most) = instance.max_volumes.filter(|most| volumes > *most as usize) {
            self.remarks.push(Remark::warning(format!(
                "{volumes} volumes are more than the {most} that {} takes as far as the catalogue \
                 knows",
                instance.name
            )));
        }
        let is_stated_apart = |text: &&VolumeText| {
            let disk = self.catalog.disk_limit(instance, &text.name);
            disk.is_some()
        };
        if instance.network.is_none() && !attached().all(|text| is_stated_apart(&text)) {
            self.remarks.push(Remark::warning(format!(
                "no limits of {} to its volumes are known; none are applied",
                instance.name
            )));
        }
    }

    /// Disks that share their limits share one stage, by their sizes together.
    fn make_pools(&mut self, layout: &Layout) -> Result<(), BuildError> {
        let mut sums: Vec<(&VolumeType, VolumeOrder)> = Vec::new();
        for text in layout.volumes() {
            let (volume, order, _) = resolve(text, self.catalog, self.at)?;
            if self.behind.iter().all(|(name, _)| *name != volume.name) {
                self.machine_stage(volume);
            }
            if !matches!(&volume.law, Law::Pooled(law) if law.shared) {
                continue;
            }
            match sums.iter_mut().find(|(known, _)| known.name == volume.name) {
                Some((_, sum)) => {
                    sum.size_gib = sum.size_gib.zip(order.size_gib).map(|(a, b)| a + b);
                }
                None => sums.push((volume, order)),
            }
        }
        for (volume, order) in sums {
            let mut limits = volume.limits(&order, self.at)?;
            self.remarks.extend(limits.remarks);
            for limit in &mut limits.limits {
                limit.cap.name = format!("all {}", volume.name);
            }
            let stage = self.stage(None, &limits.limits, 1.0);
            self.pools.push((volume.name.clone(), stage));
        }
        Ok(())
    }

    /// What the instance lets through to all volumes of a type, where that is stated apart.
    fn machine_stage(&mut self, volume: &VolumeType) {
        let Some(instance) = self.options.instance else {
            return;
        };
        let Some(most) = self.catalog.disk_limit(instance, &volume.name) else {
            return;
        };
        let caps = most.caps(volume);
        let all = |unit| {
            caps.iter()
                .find(|cap| cap.0 == unit)
                .map_or(f64::INFINITY, |cap| cap.2)
        };
        let binds = |(unit, scope, value): &(CapUnit, CapScope, f64)| {
            value.is_finite() && (*scope == CapScope::All || *value < all(*unit))
        };
        let limit = |(unit, scope, value): (CapUnit, CapScope, f64)| Limit {
            cap: Cap {
                name: format!("{} {}", instance.name, volume.name),
                unit,
                owner: CapOwner::Instance,
                scope,
                value,
                request_bytes: None,
                burst: None,
                source: most.evidence.to_string(),
            },
            accounting: Accounting::Once,
        };
        let limits: Vec<Limit> = caps.into_iter().filter(binds).map(limit).collect();
        let stage = self.stage(None, &limits, 1.0);
        self.behind.push((volume.name.clone(), stage));
    }

    fn node(&mut self, layout: &Layout) -> Result<Node, BuildError> {
        match layout {
            Layout::Volume(text) => self.device(text),
            Layout::Array(array) => self.array(array),
        }
    }

    fn array(&mut self, array: &Array) -> Result<Node, BuildError> {
        let usual = || usual_chunk(&array.members, self.catalog, self.at);
        let chunk_bytes = array.chunk.map_or_else(usual, |chunk| chunk.0);
        if array.chunk.is_none() && array.level != RaidLevel::Raid1 {
            self.remarks.push(Remark::assumed(format!(
                "chunks of {}; raid0(…, chunk=64KiB) says otherwise",
                figure::size(chunk_bytes)
            )));
        }
        let mut members = Vec::new();
        for member in &array.members {
            members.push(self.node(member)?);
        }
        Ok(match array.level {
            RaidLevel::Raid0 => Node::Stripe(Stripe::new(members, chunk_bytes)),
            RaidLevel::Raid1 => Node::Mirror(Mirror::new(members)),
            RaidLevel::Raid5 => Node::Parity(Parity::new(members, chunk_bytes, 1)),
            RaidLevel::Raid6 => Node::Parity(Parity::new(members, chunk_bytes, 2)),
            RaidLevel::Raid10 => {
                let pairs = members.chunks(2);
                let mirrors = pairs.map(|pair| Node::Mirror(Mirror::new(pair.to_vec())));
                Node::Stripe(Stripe::new(mirrors.collect(), chunk_bytes))
            }
        })
    }

    fn device(&mut self, text: &VolumeText) -> Result<Node, BuildError> {
        let (volume, order, remarks) = resolve(text, self.catalog, self.at)?;
        self.remarks.extend(remarks);
        let mut stages: Vec<Stage> = Vec::new();
        let cache = self.way(volume, &mut stages)?;
        let behind = self.behind.iter().find(|(name, _)| *name == volume.name);
        stages.extend(behind.map(|(_, stage)| stage.clone()));
        if let Some((_, pool)) = self.pools.iter().find(|(name, _)| *name == volume.name) {
            stages.push(pool.clone());
        } else {
            let limits = volume.limits(&order, self.at)?;
            self.remarks.extend(limits.remarks);
            let stage = self.stage(None, &limits.limits, order.credit);
            if self.orders.is_empty() {
                self.volume_caps = caps(&limits.limits);
            }
            stages.push(stage);
        }
        let seed = self.options.seed + self.orders.len() as u64;
        let size_bytes = size_bytes(volume, &order)?;
        let mut device = Device::new(size_bytes, self.service(volume, &order), seed).behind(stages);
        if let Some(cache) = cache {
            device = device.cached(cache);
        }
        if let Some(servers) = self.options.servers {
            device = device.servers(servers);
        }
        if let Law::Device(law) = &volume.law
            && let Some((seek_ns, rpm)) = law.seek.filter(|_| order.iops.is_none())
        {
            device = device.rotating(Seek {
                seek_ns: seek_ns as f64,
                half_turn_ns: 30e9 / rpm,
            });
            if self.options.spread != Spread::None {
                device = device.spread();
                self.sorts = true;
                self.remarks.push(Remark::assumed(
                    "seeks take longer the farther they go, and the turn is anywhere; of every \
                     two requests that wait, up to 32, the disk looks at one more for the nearest; \
                     the closed form counts means without waiting ones",
                ));
            }
            match order.bytes_per_second {
                Some(rate) => device = device.transfer(rate),
                None => device = self.transferring_as_its_class(device, volume),
            }
        }
        self.orders.push((volume.clone(), order));
        Ok(Node::Device(Box::new(device)))
    }

    /// A disk without a given throughput has the mean of its class. Without any, sequential
    /// requests would take no time.
    fn transferring_as_its_class(&mut self, device: Device, volume: &VolumeType) -> Device {
        let mut figures = class_figures().iter();
        let figure = figures.find(|one| one.class == volume.name && one.metric == "seq_mbps");
        let Some((least, most)) = figure.and_then(ClassFigure::range) else {
            self.remarks.push(Remark::warning(format!(
                "no throughput of {} is given: transfers take no time",
                volume.name
            )));
            return device;
        };
        self.remarks.push(Remark::assumed(format!(
            "no throughput of {} is given: it transfers at the mean of what disks of its class do, \
             {least:.0} to {most:.0} MB/s",
            volume.name
        )));
        device.transfer(f64::midpoint(least, most) * 1e6)
    }

    /// The instance's limits before a volume, and the host's cache if there is one.
    fn way(
        &mut self,
        volume: &VolumeType,
        stages: &mut Vec<Stage>,
    ) -> Result<Option<u16>, BuildError> {
        let options = self.options;
        let no_cache = |instance: &str| {
            Err(BuildError::NoCache {
                instance: instance.to_owned(),
            })
        };
        let Some(instance) = options.instance else {
            return match options.cache_hits {
                Some(_) => no_cache("no instance"),
                None => Ok(None),
            };
        };
        if volume.cloud == Cloud::Local || matches!(volume.law, Law::Device(_)) {
            return Ok(None);
        }
        if volume.cloud != instance.cloud {
            return Err(BuildError::Clouds {
                volume: volume.name.clone(),
                of: volume.cloud,
                instance: instance.name.clone(),
                other: instance.cloud,
            });
        }
        let is_fast = volume.is_fast();
        let stage = match (&self.network, &self.fast, instance.fast) {
            (_, Some(stage), Some(_)) if is_fast => stage.clone(),
            (_, None, Some(path)) if is_fast => {
                let stage = self.path(instance, &path, "");
                self.fast = Some(stage.clone());
                stage
            }
            (Some(stage), _, _) => stage.clone(),
            (None, _, _) => {
                let stage = match &instance.network {
                    Some(path) => self.path(instance, path, ""),
                    None => Stage::default(),
                };
                self.network = Some(stage.clone());
                stage
            }
        };
        stages.push(stage);
        let Some(hits) = options.cache_hits else {
            return Ok(None);
        };
        if is_fast {
            // These disks are not cached.
            return no_cache(&volume.name);
        }
        let Some(path) = instance.cached else {
            return no_cache(&instance.name);
        };
        if self.caches.is_empty() {
            let stage = self.path(instance, &path, "cached");
            let hit = self.service_law(volume.media).mean() / 2.0;
            self.remarks.push(Remark::assumed(format!(
                "a hit of the host's cache takes {}",
                figure::time(hit)
            )));
            self.caches.push(HostCache::new(stage, hits, hit as u64));
        }
        Ok(Some(0))
    }

    fn path(&mut self, instance: &InstanceType, path: &PathLimit, word: &str) -> Stage {
        let limits = instance.limits(path, word);
        if limits.iter().any(|limit| limit.cap.burst.is_some()) {
            self.remarks.push(Remark::assumed(burst_words(instance)));
        }
        self.instance_caps.extend(caps(&limits));
        self.stage(None, &limits, self.options.instance_credit)
    }

    /// The service law of a volume, with what it assumes.
    fn service(&mut self, volume: &VolumeType, order: &VolumeOrder) -> ServiceLaw {
        let has_seek = matches!(&volume.law, Law::Device(law) if law.seek.is_some());
        if has_seek && order.iops.is_none() && self.options.service.is_none() {
            return ServiceLaw::Constant(0.0);
        }
        let law = self.service_law(volume.media);
        if self.options.service.is_none() {
            let (words, mean) = (self.options.spread.in_words(volume.media), law.mean());
            self.remarks.push(Remark::assumed(format!(
                "a {} request takes {} after its limits admit it{words}",
                volume.name,
                figure::time(mean)
            )));
        }
        law
    }

    fn service_law(&self, media: Option<Media>) -> ServiceLaw {
        if let Some(law) = &self.options.service {
            return law.clone();
        }
        self.options.spread.of_media(media)
    }
}

/// What is known of the burst of an instance, and what is inferred.
fn burst_words(instance: &InstanceType) -> String {
    let name = &instance.name;
    match instance.cloud {
        Cloud::Aws => format!(
            "the burst of {name} is inferred: (maximum - baseline) x 30 minutes, which the unused \
             baseline refills. AWS states 30 minutes at least once every 24 hours. Since 2026-06 \
             it names two balances, EBSIOBalance% and EBSByteBalance%, without their sizes"
        ),
        _ => format!(
            "the burst of {name} is inferred: (maximum - baseline) x 30 minutes, which the unused \
             baseline refills. The vendor states the 30 minutes"
        ),
    }
}

fn caps(limits: &[Limit]) -> Vec<Cap> {
    limits.iter().map(|limit| limit.cap.clone()).collect()
}

/// Bytes of the device: as ordered, or all of a tier.
fn size_bytes(volume: &VolumeType, order: &VolumeOrder) -> Result<u64, BuildError> {
    match (order.size_gib, &volume.law) {
        (Some(gib), _) => Ok((gib * GIB) as u64),
        (None, Law::Tier(_)) => Ok((volume.max_gib * GIB) as u64),
        (None, _) => Err(BuildError::NoSize {
            volume: volume.name.clone(),
        }),
    }
}
