//! Requests in memory, packed as in a file, for several readings.

use super::{Chunk, MOST_REQUESTS, columns};
use crate::request::Request;

/// A span of requests.
#[derive(Debug)]
struct Packed {
    number: u64,
    /// When the last of them was done, since the start.
    until_ns: u64,
    requests: Vec<u8>,
    early: Option<Vec<u8>>,
    above: Option<Vec<u8>>,
}

impl Packed {
    fn of(number: u64, requests: &[Request]) -> Self {
        let done_ns = |one: &Request| one.at_ns.saturating_add(one.service_ns.unwrap_or(0));
        Self {
            number,
            until_ns: requests.iter().map(done_ns).max().unwrap_or(0),
            requests: columns::pack(requests),
            early: columns::pack_early(requests),
            above: columns::pack_above(requests),
        }
    }

    fn bytes(&self) -> usize {
        let more = [&self.early, &self.above].into_iter().flatten();
        self.requests.len() + more.map(Vec::len).sum::<usize>()
    }

    fn unpacked(&self) -> Option<Chunk> {
        let mut chunk = columns::unpack(&self.requests)?;
        if let Some(early) = &self.early {
            columns::unpack_early(early, &mut chunk)?;
        }
        if let Some(above) = &self.above {
            columns::unpack_above(above, &mut chunk, usize::MAX)?;
        }
        Some(chunk)
    }
}

/// Requests in memory, at most a number of bytes and one span that is not packed yet. Where more
/// come, every second span of [`Self::SPAN`] requests goes, so that what stays is spread over the
/// whole time.
#[derive(Debug)]
pub struct Spool {
    most_bytes: usize,
    bytes: usize,
    packed: Vec<Packed>,
    /// The span that is being filled, and its number.
    open: Chunk,
    number: u64,
    /// Spans whose number is a multiple of this stay.
    every: u64,
}

impl Spool {
    /// Requests of a span.
    pub const SPAN: usize = MOST_REQUESTS;

    /// For at most this number of bytes of packed requests.
    pub const fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
            bytes: 0,
            packed: Vec::new(),
            open: Vec::new(),
            number: 0,
            every: 1,
        }
    }

    /// Adds the next request.
    pub fn add(&mut self, request: Request) {
        self.open.push(request);
        if self.open.len() < Self::SPAN {
            return;
        }
        if self.stays() {
            let packed = Packed::of(self.number, &self.open);
            self.bytes += packed.bytes();
            self.packed.push(packed);
        }
        self.open.clear();
        self.number += 1;
        while self.bytes > self.most_bytes && self.packed.len() > 1 {
            self.every *= 2;
            let every = self.every;
            self.packed.retain(|one| one.number.is_multiple_of(every));
            self.bytes = self.packed.iter().map(Packed::bytes).sum();
        }
    }

    /// Share of the requests that stayed, 0 to 1.
    pub fn share(&self) -> f64 {
        let span = Self::SPAN as u64;
        let open = self.open.len() as u64;
        let open_stays = if self.stays() { open } else { 0 };
        let stayed = self.packed.len() as u64 * span + open_stays;
        stayed as f64 / (self.number * span + open).max(1) as f64
    }

    /// Whether the span that is being filled would stay.
    const fn stays(&self) -> bool {
        self.number.is_multiple_of(self.every)
    }

    /// Hands out what stayed, in its order, but for spans that were done before an instant.
    pub fn read(&self, from_ns: u64, each: &mut dyn FnMut(&[Request])) {
        let packed = self.packed.iter().filter(|one| one.until_ns >= from_ns);
        for chunk in packed.filter_map(Packed::unpacked) {
            each(&chunk);
        }
        if self.stays() {
            each(&self.open);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Flags;
    use crate::request::{Above, Early, Last};

    fn request(number: u64) -> Request {
        Request {
            at_ns: number * 1000,
            service_ns: Some(number % 7),
            device: 0,
            offset: number * 4096,
            bytes: 4096,
            flags: Flags::READ,
            task: 0,
            early: Early {
                queued_ns: Some(3),
                asked_ns: Some(2),
                inserted_ns: None,
                above: number.is_multiple_of(3).then_some(Above {
                    volume: 1,
                    last: number.is_multiple_of(2).then_some(Last {
                        queued_ns: 5,
                        after_ns: 2,
                        alone_ns: number % 5,
                    }),
                }),
            },
        }
    }

    fn requests(count: u64) -> Vec<Request> {
        (0..count).map(request).collect()
    }

    fn add(spool: &mut Spool, requests: &[Request]) {
        for request in requests {
            spool.add(*request);
        }
    }

    fn found(spool: &Spool) -> Vec<Request> {
        let mut all = Vec::new();
        spool.read(0, &mut |chunk| all.extend_from_slice(chunk));
        all
    }

    #[test]
    fn requests_come_back_as_they_were() {
        let mut spool = Spool::new(usize::MAX);
        let all = requests(Spool::SPAN as u64 + 5);
        add(&mut spool, &all);
        assert_eq!((found(&spool) == all, spool.share()), (true, 1.0));
        assert_eq!(found(&Spool::new(0)), []);
        let mut late = 0;
        spool.read(u64::MAX, &mut |chunk| late += chunk.len());
        assert_eq!(late, 5);
    }

    #[test]
    fn beyond_the_bound_every_second_span_stays() {
        let mut spool = Spool::new(usize::MAX);
        let span = Spool::SPAN as u64;
        add(&mut spool, &requests(span));
        // Three spans fit, and four do not.
        let mut spool = Spool::new(spool.bytes * 7 / 2);
        add(&mut spool, &requests(span * 10));
        let spans = spool.packed.iter().map(|one| one.number);
        assert_eq!(
            (spans.collect::<Vec<_>>(), spool.share()),
            (vec![0, 4, 8], 0.3)
        );
        assert_eq!(found(&spool).len() as u64, 3 * span);
        assert!(spool.bytes <= spool.most_bytes);
    }

    #[test]
    fn a_single_span_stays_whatever_the_bound() {
        let mut spool = Spool::new(1);
        add(&mut spool, &requests(Spool::SPAN as u64 * 4));
        assert_eq!((found(&spool).len(), spool.share()), (Spool::SPAN, 0.25));
    }
}
