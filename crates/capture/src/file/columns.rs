//! Requests as columns: numbers of one kind lie together, as differences where these are small, in
//! as few bytes as they need, and each column is packed by deflate.

use super::MOST_REQUESTS;
use crate::flags::Flags;
use crate::request::{Above, Early, Last, Request, SECTOR_BYTES};
use crate::varint::{folded, put, take, unfolded};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::io::{Read as _, Write as _};

/// Effort of the packer: a higher one saves 1 % of the bytes and takes twice the time.
const LEVEL: u32 = 4;
/// Bytes that a number has at most.
const MOST_NUMBER_BYTES: usize = 10;
const COLUMNS: usize = 7;
const EARLY_COLUMNS: usize = 3;
const ABOVE_COLUMNS: usize = 4;

/// Some requests in their order.
pub type Chunk = Vec<Request>;

/// The requests as the payload of a block.
pub(super) fn pack(requests: &[Request]) -> Vec<u8> {
    let mut columns: [Vec<u8>; COLUMNS] = Default::default();
    // What all offsets and lengths are multiples of is said once.
    let all = requests
        .iter()
        .fold(0, |all, one| all | one.offset | one.bytes)
        / SECTOR_BYTES;
    // A flush may have a sector and no length: the shift has to fit into that of a length.
    let shift = if all == 0 {
        0
    } else {
        all.trailing_zeros().min(31)
    };
    let (mut at_ns, mut end) = (0, 0);
    for request in requests {
        let sector = (request.offset / SECTOR_BYTES) >> shift;
        let sectors = (request.bytes / SECTOR_BYTES) >> shift;
        let numbers = [
            folded(request.at_ns.wrapping_sub(at_ns) as i64),
            request
                .service_ns
                .map_or(0, |service| service.saturating_add(1)),
            folded(sector.wrapping_sub(end) as i64),
            sectors,
            u64::from(request.flags.0),
            u64::from(request.task),
            u64::from(request.device),
        ];
        at_ns = request.at_ns;
        end = sector.wrapping_add(sectors);
        for (column, number) in columns.iter_mut().zip(numbers) {
            put(column, number);
        }
    }
    let mut payload = Vec::new();
    put(&mut payload, requests.len() as u64);
    put(&mut payload, u64::from(shift));
    put_columns(&mut payload, &columns);
    payload
}

/// What happened before the issue of requests, as the payload of a block; none where nothing is
/// known of it.
pub(super) fn pack_early(requests: &[Request]) -> Option<Vec<u8>> {
    let instants = |request: &Request| {
        let early = request.early;
        [early.queued_ns, early.asked_ns, early.inserted_ns]
    };
    if requests.iter().all(|one| instants(one) == [None; 3]) {
        return None;
    }
    let mut columns: [Vec<u8>; EARLY_COLUMNS] = Default::default();
    for request in requests {
        for (column, instant) in columns.iter_mut().zip(instants(request)) {
            put(column, instant.map_or(0, |before| before.saturating_add(1)));
        }
    }
    Some(of_requests(requests, &columns))
}

/// Gives requests what such a payload has of them; none of a payload that is not theirs.
pub(super) fn unpack_early(payload: &[u8], requests: &mut [Request]) -> Option<()> {
    let columns: [Vec<u8>; EARLY_COLUMNS] = columns_of(payload, requests)?;
    let mut columns = columns.each_ref().map(Vec::as_slice);
    for request in requests {
        let [queued, asked, inserted] = &mut columns;
        request.early = Early {
            queued_ns: take(queued)?.checked_sub(1),
            asked_ns: take(asked)?.checked_sub(1),
            inserted_ns: take(inserted)?.checked_sub(1),
            ..request.early
        };
    }
    Some(())
}

/// The requests of volumes that requests serve, as the payload of a block; none where they serve
/// none.
pub(super) fn pack_above(requests: &[Request]) -> Option<Vec<u8>> {
    if requests.iter().all(|one| one.early.above.is_none()) {
        return None;
    }
    let mut columns: [Vec<u8>; ABOVE_COLUMNS] = Default::default();
    for request in requests {
        let above = request.early.above;
        let last = above.and_then(|above| above.last);
        let volume = above.map_or(0, |above| 1 + 2 * u64::from(above.volume));
        let times = last.unwrap_or_default();
        let numbers = [
            volume + u64::from(last.is_some()),
            times.queued_ns,
            times.after_ns,
            times.alone_ns,
        ];
        for (column, number) in columns.iter_mut().zip(numbers) {
            put(column, number);
        }
    }
    Some(of_requests(requests, &columns))
}

/// Gives requests what such a payload has of them; none of a payload that is not theirs, or that
/// names a volume beyond these.
pub(super) fn unpack_above(payload: &[u8], requests: &mut [Request], volumes: usize) -> Option<()> {
    let columns: [Vec<u8>; ABOVE_COLUMNS] = columns_of(payload, requests)?;
    let mut columns = columns.each_ref().map(Vec::as_slice);
    for request in requests {
        let [place, queued, after, alone] = &mut columns;
        let place = take(place)?;
        let last = Last {
            queued_ns: take(queued)?,
            after_ns: take(after)?,
            alone_ns: take(alone)?,
        };
        let Some(volume) = place.checked_sub(1) else {
            continue;
        };
        let above = Above {
            volume: u16::try_from(volume / 2).ok()?,
            last: (volume % 2 == 1).then_some(last),
        };
        if usize::from(above.volume) >= volumes {
            return None;
        }
        request.early.above = Some(above);
    }
    Some(())
}

/// Columns with a number of each request, as a payload.
fn of_requests(requests: &[Request], columns: &[Vec<u8>]) -> Vec<u8> {
    let mut payload = Vec::new();
    put(&mut payload, requests.len() as u64);
    put_columns(&mut payload, columns);
    payload
}

/// The columns of such a payload; none of one that is not of these requests.
fn columns_of<const N: usize>(mut payload: &[u8], requests: &[Request]) -> Option<[Vec<u8>; N]> {
    let is_theirs = take(&mut payload)? == requests.len() as u64;
    take_columns(&mut payload, requests.len()).filter(|_| is_theirs)
}

fn put_columns(payload: &mut Vec<u8>, columns: &[Vec<u8>]) {
    for column in columns {
        let packed = deflated(column);
        put(payload, column.len() as u64);
        put(payload, packed.len() as u64);
        payload.extend(packed);
    }
}

fn take_columns<const N: usize>(payload: &mut &[u8], count: usize) -> Option<[Vec<u8>; N]> {
    let mut columns = [const { Vec::new() }; N];
    for column in &mut columns {
        let length = usize::try_from(take(payload)?).ok()?;
        let packed = usize::try_from(take(payload)?).ok()?;
        if length > count * MOST_NUMBER_BYTES {
            return None;
        }
        let (bytes, rest) = payload.split_at_checked(packed)?;
        *payload = rest;
        *column = inflated(bytes, length)?;
    }
    Some(columns)
}

/// The requests of a payload; none of a payload that no writer has made.
pub(super) fn unpack(mut payload: &[u8]) -> Option<Chunk> {
    let payload = &mut payload;
    let count = usize::try_from(take(payload)?).ok()?;
    let shift = u32::try_from(take(payload)?).ok()?;
    if count > MOST_REQUESTS || shift >= u64::BITS {
        return None;
    }
    let columns: [Vec<u8>; COLUMNS] = take_columns(payload, count)?;
    let mut columns = columns.each_ref().map(Vec::as_slice);
    let (mut at_ns, mut end) = (0_u64, 0_u64);
    let mut requests = Vec::with_capacity(count);
    for _ in 0..count {
        let mut numbers = [0; COLUMNS];
        for (number, column) in numbers.iter_mut().zip(&mut columns) {
            *number = take(column)?;
        }
        let [gap, service, seek, sectors, flags, task, device] = numbers;
        at_ns = at_ns.wrapping_add(unfolded(gap) as u64);
        let sector = end.wrapping_add(unfolded(seek) as u64);
        end = sector.wrapping_add(sectors);
        requests.push(Request {
            at_ns,
            service_ns: service.checked_sub(1),
            device: u16::try_from(device).ok()?,
            offset: (sector << shift).saturating_mul(SECTOR_BYTES),
            bytes: u64::from(u32::try_from(sectors.checked_shl(shift)?).ok()?) * SECTOR_BYTES,
            flags: Flags(u16::try_from(flags).ok()?),
            task: u32::try_from(task).ok()?,
            early: Early::default(),
        });
    }
    Some(requests)
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
    // Memory takes all.
    let written = packer.write_all(bytes).and_then(|()| packer.finish());
    written.unwrap_or_default()
}

fn inflated(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let unpacked = DeflateDecoder::new(packed)
        .take(length as u64 + 1)
        .read_to_end(&mut bytes);
    (unpacked.ok()? == length).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn request() -> impl Strategy<Value = Request> {
        let numbers = (
            any::<u64>(),
            proptest::option::of(0..u64::MAX),
            any::<u16>(),
        );
        let place = (any::<u64>(), any::<u32>(), any::<u16>(), any::<u32>());
        (numbers, place).prop_map(|((at_ns, service_ns, device), place)| Request {
            at_ns,
            service_ns,
            device,
            offset: (place.0 >> 9) * SECTOR_BYTES,
            bytes: u64::from(place.1) * SECTOR_BYTES,
            flags: Flags(place.2),
            task: place.3,
            early: Early::default(),
        })
    }

    proptest! {
        #[test]
        fn requests_come_back(requests in proptest::collection::vec(request(), 0..200)) {
            prop_assert_eq!(unpack(&pack(&requests)), Some(requests));
        }

        #[test]
        fn what_was_before_an_issue_comes_back(
            early in proptest::collection::vec(
                proptest::array::uniform3(proptest::option::of(0..u64::MAX)), 1..50,
            ),
        ) {
            let request = |[queued_ns, asked_ns, inserted_ns]: [Option<u64>; 3]| Request {
                at_ns: 0,
                service_ns: None,
                device: 0,
                offset: 0,
                bytes: 0,
                flags: Flags::READ,
                task: 0,
                early: Early { queued_ns, asked_ns, inserted_ns, above: None },
            };
            let requests: Vec<_> = early.into_iter().map(request).collect();
            let mut again = unpack(&pack(&requests)).expect("requests");
            let packed = pack_early(&requests);
            let nothing = requests.iter().all(|one| one.early == Early::default());
            prop_assert_eq!(packed.is_none(), nothing);
            if let Some(packed) = packed {
                prop_assert_eq!(unpack_early(&packed, &mut again), Some(()));
                prop_assert_eq!(unpack_early(&packed, &mut again[1..]), None);
            }
            prop_assert_eq!(again, requests);
        }

        #[test]
        fn what_a_request_serves_comes_back(
            above in proptest::collection::vec(
                proptest::option::of(any::<(u16, Option<[u64; 3]>)>()),
                1..50,
            ),
        ) {
            let last = |[queued_ns, after_ns, alone_ns]: [u64; 3]| Last {
                queued_ns,
                after_ns,
                alone_ns,
            };
            let request = |above: Option<(u16, Option<[u64; 3]>)>| Request {
                at_ns: 0,
                service_ns: None,
                device: 0,
                offset: 0,
                bytes: 0,
                flags: Flags::READ,
                task: 0,
                early: Early {
                    above: above.map(|(volume, times)| Above { volume, last: times.map(last) }),
                    ..Early::default()
                },
            };
            let requests: Vec<_> = above.into_iter().map(request).collect();
            let mut again = unpack(&pack(&requests)).expect("as it was packed");
            if let Some(packed) = pack_above(&requests) {
                prop_assert_eq!(unpack_above(&packed, &mut again, 1 << 16), Some(()));
                prop_assert_eq!(unpack_above(&packed, &mut again, 0), None);
                prop_assert_eq!(unpack_above(&packed, &mut again[1..], 1 << 16), None);
            }
            prop_assert_eq!(again, requests);
        }

        #[test]
        fn aligned_requests_come_back(
            sectors in proptest::collection::vec((any::<u32>(), 1_u32..100), 1..50),
        ) {
            let aligned = |(sector, sectors): (u32, u32)| Request {
                at_ns: 0,
                service_ns: None,
                device: 0,
                offset: u64::from(sector) * 4096,
                bytes: u64::from(sectors) * 4096,
                flags: Flags::READ,
                task: 0,
                early: Early::default(),
            };
            let requests: Vec<_> = sectors.into_iter().map(aligned).collect();
            prop_assert_eq!(unpack(&pack(&requests)), Some(requests));
        }

        #[test]
        fn a_sector_without_a_length_comes_back(bit in 9_u32..64) {
            let request = Request {
                at_ns: 0,
                service_ns: None,
                device: 0,
                offset: 1 << bit,
                bytes: 0,
                flags: Flags::FLUSH,
                task: 0,
                early: Early::default(),
            };
            prop_assert_eq!(unpack(&pack(&[request])), Some(vec![request]));
        }

        #[test]
        fn bytes_of_anybody_are_read_or_refused(bytes: Vec<u8>) {
            unpack_early(&bytes, &mut unpack(&bytes).unwrap_or_default());
            unpack_above(&bytes, &mut unpack(&bytes).unwrap_or_default(), 1);
        }
    }
}
