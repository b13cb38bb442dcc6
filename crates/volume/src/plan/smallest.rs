//! The smallest instance that does not bind: prices of instances are not in the catalogue, so the
//! size stands for them.

use crate::catalog::{Catalog, Cloud, Date, InstanceType, PathLimit, Remark};
use serde::Serialize;
use std::collections::BTreeMap;

/// An instance that lets a load through for as long as one likes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Smallest {
    /// Its name.
    pub name: String,
    /// Virtual processors.
    pub vcpus: u32,
    /// Requests a second that it lets through to volumes, sustained.
    pub iops: f64,
    /// Bytes a second, sustained.
    pub bytes_per_second: f64,
}

/// The instances of a day, smallest first.
pub(super) struct Sizes<'a> {
    by_cloud: BTreeMap<Cloud, Vec<&'a InstanceType>>,
    /// Clouds whose first document is later than the day, with its day.
    later: BTreeMap<Cloud, Date>,
}

impl<'a> Sizes<'a> {
    /// Those that were documented by a day, each as it was then; of a cloud that was not, those of
    /// its first document.
    pub(super) fn new(catalog: &'a Catalog, at: Date) -> Self {
        let mut latest: BTreeMap<(Cloud, &str), &InstanceType> = BTreeMap::new();
        let mut first: BTreeMap<Cloud, Option<Date>> = BTreeMap::new();
        for row in catalog.instances() {
            let known = first.entry(row.cloud).or_insert(row.validity.from);
            *known = (*known).min(row.validity.from);
        }
        let later: BTreeMap<Cloud, Date> = first
            .into_iter()
            .filter_map(|(cloud, day)| Some((cloud, day.filter(|day| *day > at)?)))
            .collect();
        let begun = |row: &&InstanceType| {
            let day = later.get(&row.cloud).map_or(at, |day| *day);
            row.validity.from.is_none_or(|from| from <= day)
        };
        for row in catalog.instances().iter().filter(begun) {
            latest
                .entry((row.cloud, row.name.as_str()))
                .and_modify(|known| {
                    if row.validity.from > known.validity.from {
                        *known = row;
                    }
                })
                .or_insert(row);
        }
        let mut sizes: BTreeMap<Cloud, Vec<&InstanceType>> = BTreeMap::new();
        for ((cloud, _), row) in latest {
            sizes.entry(cloud).or_default().push(row);
        }
        for rows in sizes.values_mut() {
            rows.sort_by(|one, other| {
                let size = |row: &InstanceType| (row.vcpus.unwrap_or(u32::MAX), row.memory_mib);
                (size(one), &one.name).cmp(&(size(other), &other.name))
            });
        }
        Self {
            by_cloud: sizes,
            later,
        }
    }

    /// What is to be said where a cloud's instances are those of a later day.
    pub(super) fn remark(&self, cloud: Cloud) -> Option<Remark> {
        let day = self.later.get(&cloud)?;
        Some(Remark::assumed(format!(
            "instances of {cloud} as of {day}, the first day of which they are known"
        )))
    }

    /// The smallest that lets so much through to so many volumes, all the time.
    pub(super) fn find(
        &self,
        cloud: Cloud,
        volumes: usize,
        iops: f64,
        bytes_per_second: f64,
        is_fast: bool,
    ) -> Option<Smallest> {
        let rows = self.by_cloud.get(&cloud)?;
        rows.iter().find_map(|row| {
            let path = match row.fast {
                Some(fast) if is_fast => fast,
                _ => row.network?,
            };
            let (most_iops, most_bytes) = sustained(&path)?;
            let has_room = row.max_volumes.is_none_or(|most| volumes <= most as usize);
            (has_room && most_iops >= iops && most_bytes >= bytes_per_second).then(|| Smallest {
                name: row.name.clone(),
                vcpus: row.vcpus.unwrap_or(0),
                iops: most_iops,
                bytes_per_second: most_bytes,
            })
        })
    }
}

/// The sustained limits; none where a document gives maxima only.
fn sustained(path: &PathLimit) -> Option<(f64, f64)> {
    path.iops.zip(path.bytes_per_second)
}
