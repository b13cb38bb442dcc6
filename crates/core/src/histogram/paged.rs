//! The cells of a histogram. Only pages that hold a count take memory: the values of one job lie in
//! a few octaves, and there may be thousands of jobs.

use super::HIGHEST_NS;

/// Binary digits that a cell keeps: 2,048 sub-buckets a power of two.
const DIGITS: u32 = 11;
const HALF: u64 = 1 << (DIGITS - 1);
pub(super) const CELLS: usize = cell_of(HIGHEST_NS) + 1;

/// Cells of a page: a sixteenth of a power of two.
const PAGE: usize = 64;
pub(super) const PAGES: usize = CELLS.div_ceil(PAGE);
/// A power of two, so that no index has to be checked.
const PLACES: usize = PAGES.next_power_of_two();
/// Index of a page that has no memory.
const NOWHERE: u16 = u16::MAX;

/// The cell of a value that is not above [`HIGHEST_NS`].
#[inline]
pub(super) const fn cell_of(value_ns: u64) -> usize {
    let bucket = (u64::BITS - DIGITS) - (value_ns | (2 * HALF - 1)).leading_zeros();
    ((bucket as u64 * HALF) + (value_ns >> bucket)) as usize
}

/// The smallest value of a cell.
pub(super) const fn value_of(cell: usize) -> u64 {
    let cell = cell as u64;
    let bucket = if cell < 2 * HALF { 0 } else { cell / HALF - 1 };
    (cell - bucket * HALF) << bucket
}

/// The largest value of a cell.
pub(super) const fn edge_of(cell: usize) -> u64 {
    value_of(cell + 1) - 1
}

/// Counts by cell; `C` is the number that counts.
#[derive(Clone)]
pub(super) struct Paged<C> {
    /// Index of each page in `pages`.
    places: Box<[u16; PLACES]>,
    pages: Vec<[C; PAGE]>,
}

impl<C: Copy + Default + PartialEq> Paged<C> {
    /// No counts, and memory for this number of pages, which is present: what is counted in them
    /// meets no page fault.
    pub(super) fn with_room(pages: usize) -> Self {
        let mut paged = Self {
            places: Box::new([NOWHERE; PLACES]),
            pages: Vec::new(),
        };
        paged.make_room(pages);
        paged
    }

    fn make_room(&mut self, pages: usize) {
        let mut room = Vec::with_capacity(pages.min(PAGES));
        room.resize(pages.min(PAGES), [C::default(); PAGE]);
        self.pages = std::hint::black_box(room);
        self.pages.clear();
    }

    /// The count of a cell, which gets memory if it has none.
    #[inline]
    pub(super) fn at(&mut self, cell: usize) -> &mut C {
        let place = usize::from(self.places[cell / PAGE % PLACES]);
        if place >= self.pages.len() {
            return self.first_of(cell);
        }
        &mut self.pages[place][cell % PAGE]
    }

    #[cold]
    #[inline(never)]
    fn first_of(&mut self, cell: usize) -> &mut C {
        let place = self.pages.len();
        self.places[cell / PAGE % PLACES] = place as u16;
        self.pages.push([C::default(); PAGE]);
        &mut self.pages[place][cell % PAGE]
    }

    /// Cells that are not empty with their counts, rising.
    pub(super) fn filled(&self) -> impl Iterator<Item = (usize, C)> + '_ {
        let pages = self.places.iter().enumerate();
        let pages = pages.filter_map(|(page, place)| {
            let counts = self.pages.get(usize::from(*place))?;
            Some((page * PAGE.., counts))
        });
        let cells = pages.flat_map(|(first, counts)| first.zip(counts.iter().copied()));
        cells.filter(|(_, count)| *count != C::default())
    }

    /// Forgets all counts and keeps the memory. Where more than half of it was used there is twice
    /// as much as was used afterwards.
    pub(super) fn clear(&mut self) {
        self.places.fill(NOWHERE);
        let used = self.pages.len();
        if 2 * used > self.pages.capacity() && self.pages.capacity() < PAGES {
            self.make_room(2 * used);
        }
        self.pages.clear();
    }
}

impl<C: Copy + Default + PartialEq + std::fmt::Debug> std::fmt::Debug for Paged<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.filled()).finish()
    }
}

impl<C: Copy + Default + PartialEq> PartialEq for Paged<C> {
    fn eq(&self, other: &Self) -> bool {
        self.filled().eq(other.filled())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_follow_each_other_without_a_gap() {
        let edges = [0, 1, 2047, 2048, 2049, 2050, 4095, 4096, 4100, HIGHEST_NS];
        let cells = edges.map(cell_of);
        assert_eq!(
            cells,
            [0, 1, 2047, 2048, 2048, 2049, 3071, 3072, 3073, CELLS - 1]
        );
        for cell in 0..CELLS {
            assert_eq!(cell_of(value_of(cell)), cell);
            assert_eq!(cell_of(edge_of(cell)), cell);
        }
    }

    #[test]
    fn memory_grows_where_it_was_used_up_and_nowhere_else() {
        let mut paged = Paged::<u32>::with_room(4);
        let rooms = [1, 2, 3, 3, 100, PAGES, PAGES].map(|pages| {
            for page in 0..pages {
                *paged.at(page * PAGE) += 1;
            }
            assert_eq!(paged.filled().count(), pages);
            paged.clear();
            assert_eq!(paged.filled().next(), None);
            paged.pages.capacity().min(PAGES)
        });
        assert_eq!(rooms, [4, 4, 6, 6, 200, PAGES, PAGES]);
    }
}
