//! The chunk of an array that states none.

use super::resolve::resolve;
use super::{Array, Layout, RaidLevel};
use crate::catalog::{Catalog, Date};
use fathom_core::Bytes;

/// Chunk of arrays that state none, unless their volumes count larger units.
pub(super) const CHUNK_BYTES: u64 = 256 << 10;

/// The usual chunk of an array of these members: the unit of volumes that count whole units, and
/// otherwise 256 KiB. A smaller one would make each of them count a whole unit for every chunk.
pub(super) fn usual_chunk(members: &[Layout], catalog: &Catalog, at: Date) -> u64 {
    let volumes = members.iter().flat_map(Layout::volumes);
    let units = volumes.filter_map(|text| {
        let (volume, ..) = resolve(text, catalog, at).ok()?;
        volume.whole_unit()
    });
    units.fold(CHUNK_BYTES, u64::max)
}

impl Layout {
    /// The same with the chunk stated of each array whose volumes count whole units.
    #[must_use]
    pub fn with_chunks(&self, catalog: &Catalog, at: Date) -> Self {
        self.chunked(&|array| {
            let usual = usual_chunk(&array.members, catalog, at);
            array
                .chunk
                .or((usual > CHUNK_BYTES).then_some(Bytes(usual)))
        })
    }

    /// The same with larger chunks, and the largest of them, where a stated chunk is smaller than
    /// the unit that the volumes count; none where no chunk is.
    pub fn with_larger_chunks(&self, catalog: &Catalog, at: Date) -> Option<(Self, Bytes)> {
        let usual = usual_chunk(std::slice::from_ref(self), catalog, at);
        let larger = self.chunked(&|array| {
            let usual = usual_chunk(&array.members, catalog, at);
            let is_small = usual > CHUNK_BYTES && array.chunk.is_some_and(|own| own.0 < usual);
            if is_small {
                Some(Bytes(usual))
            } else {
                array.chunk
            }
        });
        (larger != *self).then_some((larger, Bytes(usual)))
    }

    fn chunked(&self, choose: &impl Fn(&Array) -> Option<Bytes>) -> Self {
        match self {
            Self::Array(array) if array.level != RaidLevel::Raid1 => Self::Array(Array {
                members: array
                    .members
                    .iter()
                    .map(|one| one.chunked(choose))
                    .collect(),
                chunk: choose(array),
                level: array.level,
            }),
            Self::Array(array) => Self::Array(Array {
                members: array
                    .members
                    .iter()
                    .map(|one| one.chunked(choose))
                    .collect(),
                ..array.clone()
            }),
            Self::Volume(volume) => Self::Volume(volume.clone()),
        }
    }
}
