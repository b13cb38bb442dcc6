use super::*;
use crate::request::Window;
use proptest::prelude::*;

const UNIT: u64 = 4096;

/// A device as strict as a real one: a write must be at the pointer, and only so many zones may be
/// begun and not full.
#[derive(Debug)]
struct Device {
    zones: Vec<Zone>,
    most_active: usize,
    resets: u64,
    writes: u64,
}

impl Device {
    fn new(written: &[u64], units: u64, capacity: u64, most_active: usize) -> Self {
        let zone = |(number, written): (u64, &u64)| Zone {
            start: number * units * UNIT,
            len: units * UNIT,
            capacity: capacity * UNIT,
            written: (written * 512).min(capacity * UNIT),
            condition: match written * 512 {
                0 => Condition::Empty,
                bytes if bytes >= capacity * UNIT => Condition::Full,
                _ => Condition::Active,
            },
        };
        Self {
            zones: (0..).zip(written).map(zone).collect(),
            most_active,
            resets: 0,
            writes: 0,
        }
    }

    fn active(&self) -> usize {
        let is_active = |zone: &&Zone| zone.condition == Condition::Active;
        self.zones.iter().filter(is_active).count()
    }

    fn window(&self) -> Window {
        let len = self.zones.iter().map(|zone| zone.len).sum();
        Window { start: 0, len }
    }

    /// Does an append, or says what is wrong with it.
    fn append(&mut self, request: Request) -> Result<(), String> {
        let zone = self
            .zones
            .iter()
            .find(|zone| zone.start == request.offset)
            .ok_or("not where a zone begins")?;
        let offset = match request.op {
            Op::Write => zone.start + zone.written,
            _ => zone.start,
        };
        self.perform(Request { offset, ..request })
    }

    /// Does a request, or says what is wrong with it.
    fn perform(&mut self, request: Request) -> Result<(), String> {
        let active = self.active();
        let most = self.most_active;
        let zone = self
            .zones
            .iter_mut()
            .find(|zone| (zone.start..zone.start + zone.len).contains(&request.offset))
            .ok_or("beyond the end")?;
        if request.op == Op::Trim {
            if (request.offset, request.len) != (zone.start, 0) {
                return Err(format!("{request:?} is no reset"));
            }
            zone.written = 0;
            zone.condition = Condition::Empty;
            self.resets += 1;
            return Ok(());
        }
        let pointer = zone.start + zone.written;
        let end = zone.written + u64::from(request.len);
        if request.op != Op::Write || request.offset != pointer || end > zone.capacity {
            return Err(format!("{request:?} and the pointer is at {pointer}"));
        }
        if zone.condition == Condition::Empty && active >= most {
            return Err(format!("{request:?} begins one zone too many"));
        }
        zone.written = end;
        zone.condition = if end == zone.capacity {
            Condition::Full
        } else {
            Condition::Active
        };
        self.writes += 1;
        Ok(())
    }
}

proptest! {
    /// However many appends are on their way: each has room in its zone, and no more zones are
    /// begun than the device allows, as long as none fails.
    #[test]
    fn appends_fill_one_zone_after_another(
        written in prop::collection::vec(0u64..70, 1..12),
        rest in 0u64..3,
        length in 1u64..3,
        most in 1usize..6,
        threads in 1u32..4,
        job in prop::option::of(1u32..5),
        script in prop::collection::vec((any::<u8>(), any::<u8>(), any::<bool>(), 9u8..), 1..400),
    ) {
        let mut device = Device::new(&written, 8 + rest, 8, most);
        prop_assume!(device.active() <= most);
        let limits = ZoneLimits {
            device_active: Some(most as u64),
            job,
            appends: true,
            ..ZoneLimits::default()
        };
        let len = (length * UNIT) as u32;
        let made = shares(&device.zones, device.window(), len, threads, limits);
        let Ok(mut shares) = made else { return Ok(()) };
        if job.is_none() {
            prop_assert!(shares.iter().all(|share| share.lanes.len() == 1));
        }
        let counted = play_appends(&mut device, &mut shares, &script)?;
        prop_assert_eq!(counted, (device.resets, device.writes));
    }
}

#[test]
fn a_zone_that_missed_an_append_is_reset_before_another_is_begun() {
    // Two appends fill a zone, and one zone may be begun.
    let mut device = Device::new(&[0, 0, 0], 4, 4, 1);
    let limits = ZoneLimits {
        device_active: Some(1),
        appends: true,
        ..ZoneLimits::default()
    };
    let window = device.window();
    let made = shares(&device.zones, window, 2 * UNIT as u32, 1, limits);
    let mut share = made.unwrap().remove(0);
    let mut random = Random::new(1);
    let mut seen = Vec::new();
    // The third request, an append, fails, and is heard of only when its zone was left.
    let mut late = None;
    for number in 0..9 {
        let request = share.choose(false, &mut random);
        seen.push((request.offset / (4 * UNIT), request.op == Op::Trim));
        match number {
            2 => late = Some(request),
            _ => device.append(request).unwrap(),
        }
        if number == 3 {
            let late = late.take().unwrap();
            assert!(share.completed(late.op, late.offset, false));
        }
    }
    let (append, reset) = (false, true);
    let expected = [
        (0, reset),
        (0, append),
        (0, append),
        (1, reset),
        (0, reset),
        (1, append),
        (1, append),
        (2, reset),
        (2, append),
    ];
    assert_eq!(seen, expected);
}

/// What a script of numbers makes of several threads: which goes on, whether it issues or
/// completes, which of its requests completes, and whether that fails.
fn play(
    device: &mut Device,
    shares: &mut [ZoneShare],
    script: &[(u8, u8, bool, u8)],
) -> Result<(u64, u64), TestCaseError> {
    let mut random = Random::new(7);
    let mut flying: Vec<Vec<Request>> = vec![Vec::new(); shares.len()];
    let (mut resets, mut writes) = (0, 0);
    for &(thread, which, is_random, luck) in script {
        let thread = usize::from(thread) % shares.len();
        let (share, flying) = (&mut shares[thread], &mut flying[thread]);
        if flying.len() < share.most_in_flight() as usize {
            flying.push(share.choose(is_random, &mut random));
        }
        if flying.len() == share.most_in_flight() as usize || which % 3 == 0 {
            let request = flying.swap_remove(usize::from(which) % flying.len());
            let is_good = luck > 8;
            if is_good {
                let done = device.perform(request);
                prop_assert!(done.is_ok(), "{done:?} of {device:?}");
                resets += u64::from(request.op == Op::Trim);
                writes += u64::from(request.op == Op::Write);
            }
            share.completed(request.op, request.offset, is_good);
        }
    }
    Ok((resets, writes))
}

proptest! {
    /// Whatever completes first and whatever fails: each write is at its pointer, no more zones are
    /// begun than the device allows, and all resets are counted.
    #[test]
    fn a_device_refuses_no_request(
        written in prop::collection::vec(0u64..70, 1..12),
        rest in 0u64..3,
        length in 1u64..3,
        most in 1usize..6,
        threads in 1u32..4,
        (job, of_thread) in (prop::option::of(1u32..5), prop::option::of(1u32..4)),
        script in prop::collection::vec(any::<(u8, u8, bool, u8)>(), 1..400),
    ) {
        let mut device = Device::new(&written, 8 + rest, 8, most);
        // A device never has more begun than it allows.
        prop_assume!(device.active() <= most);
        let limits = ZoneLimits {
            device_open: None,
            device_active: Some(most as u64),
            job,
            of_thread,
            appends: false,
        };
        let len = (length * UNIT) as u32;
        let made = shares(&device.zones, device.window(), len, threads, limits);
        let allowed = job.map_or(most, |job| most.min(job as usize)).min(written.len());
        if allowed < threads as usize {
            prop_assert_eq!(made, Err(NoShare::TooMany { threads: allowed as u64 }));
            return Ok(());
        }
        let mut shares = made.unwrap();
        let lanes: usize = shares.iter().map(|share| share.lanes.len()).sum();
        prop_assert!(lanes <= allowed);
        if let Some(of_thread) = of_thread {
            prop_assert!(shares.iter().all(|share| share.lanes.len() <= of_thread as usize));
        }
        let counted = play(&mut device, &mut shares, &script)?;
        prop_assert_eq!(counted, (device.resets, device.writes));
    }
}

/// What becomes of appends whose device does them in the order of requests, as behind a reset it
/// has to; each is heard of later, and some fail. A number is that of a thread, how many are on
/// their way before the first is heard of, and luck.
fn play_appends(
    device: &mut Device,
    shares: &mut [ZoneShare],
    script: &[(u8, u8, bool, u8)],
) -> Result<(u64, u64), TestCaseError> {
    let mut random = Random::new(7);
    let mut flying = vec![std::collections::VecDeque::new(); shares.len()];
    let (mut resets, mut writes) = (0, 0);
    for &(thread, depth, is_random, luck) in script {
        let thread = usize::from(thread) % shares.len();
        let (share, flying) = (&mut shares[thread], &mut flying[thread]);
        let request = share.choose(is_random, &mut random);
        // A reset that fails ends the load.
        let is_good = luck > 8 || request.op == Op::Trim;
        if is_good {
            let done = device.append(request);
            prop_assert!(done.is_ok(), "{:?} of {:?}", done, device);
            resets += u64::from(request.op == Op::Trim);
            writes += u64::from(request.op == Op::Write);
        }
        flying.push_back((request, is_good));
        while flying.len() > usize::from(depth % 5) {
            let (request, is_good) = flying.pop_front().expect("it is there");
            prop_assert!(share.completed(request.op, request.offset, is_good));
        }
    }
    Ok((resets, writes))
}

/// The zone of each request, and whether it is a reset.
fn walk(share: &mut ZoneShare, device: &mut Device, count: usize) -> Vec<(u64, bool)> {
    let mut random = Random::new(1);
    let mut step = || {
        let request = share.choose(false, &mut random);
        device.perform(request).unwrap();
        share.completed(request.op, request.offset, true);
        (request.offset / (4 * UNIT), request.op == Op::Trim)
    };
    (0..count).map(|_| step()).collect()
}

#[test]
fn zones_are_filled_in_order_and_reset_before_they_are_written_again() {
    // Empty, full, begun, empty; two writes fill a zone.
    let mut device = Device::new(&[0, 32, 16, 0], 4, 4, 2);
    let limits = ZoneLimits::default();
    let window = device.window();
    let made = shares(&device.zones, window, 2 * UNIT as u32, 1, limits);
    let mut share = made.unwrap().remove(0);
    let (write, reset) = (false, true);
    let expected = [
        (2, write),
        (3, write),
        (3, write),
        (0, write),
        (0, write),
        (1, reset),
        (1, write),
        (1, write),
        (2, reset),
        (2, write),
    ];
    assert_eq!(walk(&mut share, &mut device, 10), expected);
    assert_eq!((device.resets, device.writes), (2, 8));
}

#[test]
fn a_zone_that_cannot_be_reset_ends_the_load() {
    let device = Device::new(&[32, 0], 4, 4, 1);
    let made = shares(
        &device.zones,
        device.window(),
        UNIT as u32,
        1,
        ZoneLimits::default(),
    );
    let mut share = made.unwrap().remove(0);
    let mut random = Random::new(1);
    let mut ends = |is_good| {
        let request = share.choose(false, &mut random);
        (
            request.op,
            share.completed(request.op, request.offset, is_good),
        )
    };
    assert_eq!(ends(true), (Op::Trim, true));
    assert_eq!(ends(false), (Op::Write, true));
    assert_eq!(ends(false), (Op::Trim, false));
}

#[test]
fn what_cannot_be_shared_out_says_why() {
    let device = Device::new(&[0, 8, 8, 0], 4, 4, 2);
    let of = |start: u64, zones: u64, units: u64, threads| {
        let window = Window {
            start: start * UNIT,
            len: zones * 4 * UNIT,
        };
        let limits = ZoneLimits {
            device_active: Some(2),
            ..ZoneLimits::default()
        };
        let made = shares(
            &device.zones,
            window,
            (units * UNIT) as u32,
            threads,
            limits,
        );
        made.map(|shares| shares.len())
    };
    assert_eq!(of(0, 4, 1, 2), Ok(2));
    assert_eq!(of(1, 1, 1, 1), Err(NoShare::NoZones));
    let rest = NoShare::Rest {
        capacity_bytes: 4 * UNIT,
    };
    assert_eq!(of(0, 4, 3, 1), Err(rest));
    assert_eq!(of(0, 4, 1, 3), Err(NoShare::TooMany { threads: 2 }));
    assert_eq!(of(0, 1, 1, 1), Err(NoShare::Begun { zones: 2 }));
}
