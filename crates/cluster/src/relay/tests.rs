use super::letters::open;
use super::*;
use crate::fixture::MadeUpLoad;
use crate::fixture::load::SERIES;
use crate::frame::{Frames, framed};
use crate::greeting::{Greeting, OPENING};
use crate::link::{Delivery, End, Link};
use crate::merged::{Merged, PhaseTotal};
use crate::message::{IntervalReport, ToCoordinator, ToMember};
use crate::slots::Slots;
use fathom_core::Nanos;
use fathom_core::histogram::{Counts, Numbers};

const MEMBERS: u32 = 4;
const SECOND: u64 = 1_000_000_000;
const LATER: Nanos = Nanos::from_secs(1);

/// When the phase begins by the clock of a member.
const fn begin(rank: u32) -> u64 {
    (rank as u64 + 1) * 1000 * SECOND
}

/// A member that says what it is told to say.
struct Speaker {
    link: Link<ToCoordinator, ToMember>,
    load: MadeUpLoad,
    scratch: Counts,
    next: u64,
}

impl Speaker {
    fn new(rank: u32, release: &str) -> Self {
        Self {
            link: Link::new(End::Member, Delivery::Stream, Greeting::of(release)),
            load: MadeUpLoad::new(u64::from(rank), 1, 20),
            scratch: Counts::new(),
            next: 0,
        }
    }

    /// Its next interval, which begins so much later than it should.
    fn report(&mut self, rank: u32, late_ns: u64) -> IntervalReport {
        let start_ns = begin(rank) + self.next * SECOND + late_ns;
        let edges = (start_ns, start_ns + SECOND);
        let report = self.load.interval(&mut self.scratch, 0, self.next, edges);
        self.next += 1;
        report
    }
}

/// Members, and what carries their streams.
struct MemberStreams {
    speakers: Vec<Speaker>,
    outlets: Vec<Outlet>,
    junction: Junction,
    /// What arrives, by rank.
    streams: Vec<Frames>,
    arrived: Merged,
    ended: Vec<u32>,
    /// What arrives where nobody is in between.
    straight: Merged,
}

impl MemberStreams {
    fn new(release: &str) -> Self {
        let merged = || {
            Merged::new(
                &[SERIES],
                &[Slots::endless(Nanos(SECOND))],
                MEMBERS as usize,
            )
        };
        let mut way = Self {
            speakers: (0..MEMBERS)
                .map(|rank| Speaker::new(rank, release))
                .collect(),
            outlets: (0..MEMBERS).map(|_| Outlet::default()).collect(),
            junction: Junction::new(0..MEMBERS),
            streams: (0..MEMBERS).map(|_| Frames::new(OPENING)).collect(),
            arrived: merged(),
            ended: Vec::new(),
            straight: merged(),
        };
        for rank in 0..MEMBERS {
            let greeting = Greeting::of(release);
            let mut other: Link<ToMember, ToCoordinator> =
                Link::new(End::Coordinator, Delivery::Stream, greeting);
            let start = ToMember::Start {
                phase: 0,
                at_ns: begin(rank),
            };
            let told = [other.greeting(), other.say(Nanos::ZERO, &start)];
            for frame in told {
                way.outlets[rank as usize].heard(&framed(&frame));
            }
            let greeting = way.speakers[rank as usize].link.greeting();
            way.said(rank, &framed(&greeting));
        }
        way
    }

    fn said(&mut self, rank: u32, bytes: &[u8]) {
        for piece in self.outlets[rank as usize].said(bytes) {
            self.junction.come(rank, piece);
        }
    }

    /// A member reports its next interval.
    fn report(&mut self, rank: u32, late_ns: u64) {
        let speaker = &mut self.speakers[rank as usize];
        let report = speaker.report(rank, late_ns);
        let message = ToCoordinator::Interval(report.clone());
        let frame = framed(&speaker.link.say(Nanos::ZERO, &message));
        add(&mut self.straight, rank, &report);
        // However the stream is cut.
        let (first, second) = frame.split_at(frame.len() / 3);
        self.said(rank, first);
        self.said(rank, second);
    }

    /// Does what is to be done until nothing is.
    fn turn(&mut self, now: Nanos) {
        loop {
            let steps = self.junction.steps(now);
            if steps.is_empty() {
                return;
            }
            for step in steps {
                self.obey(step);
            }
        }
    }

    fn obey(&mut self, step: Step) {
        match step {
            Step::Forward(rank, bytes) => {
                let stream = &mut self.streams[rank as usize];
                stream.push(&bytes);
                while let Some(frame) = stream.take().expect("frames") {
                    stream.trust();
                    if let Some((_, ToCoordinator::Interval(report))) = open(&frame) {
                        add(&mut self.arrived, rank, &report);
                    }
                }
            }
            Step::End(rank) => self.ended.push(rank),
            Step::Give(rank, interval) => {
                let whole = self.outlets[rank as usize].whole(interval);
                self.junction.whole(rank, whole);
            }
            Step::Reduce(interval, columns) => {
                let mut all = Numbers {
                    sums: vec![0; columns.len() * Numbers::SUMS],
                    largest: vec![0; columns.len() * Numbers::LARGEST],
                };
                for outlet in &mut self.outlets {
                    let own = outlet.numbers(interval, &columns);
                    let sums = all.sums.iter_mut().zip(own.sums);
                    sums.for_each(|(sum, one)| *sum += one);
                    let largest = all.largest.iter_mut().zip(own.largest);
                    largest.for_each(|(most, one)| *most = one.max(*most));
                }
                self.junction.reduced(&all);
            }
        }
    }

    /// What arrived, which has to be what was said, and how it came.
    fn told(&self) -> (u64, u64) {
        let (arrived, straight): (Vec<PhaseTotal>, _) =
            (self.arrived.phases(), self.straight.phases());
        assert_eq!(arrived, straight);
        let rows = arrived[0].rows.iter().flat_map(|row| &row.counts);
        assert!(
            rows.map(|counts| counts.ios).sum::<u64>() > 0,
            "nothing was said"
        );
        self.junction.told()
    }
}

fn add(merged: &mut Merged, rank: u32, report: &IntervalReport) {
    let middle = report.start_ns / 2 + report.end_ns / 2 - begin(rank);
    merged.add(Nanos(middle), rank, report).expect("whole");
}

const RELEASE: &str = env!("CARGO_PKG_VERSION");

#[test]
fn what_all_report_is_added_up_on_the_way() {
    let mut way = MemberStreams::new(RELEASE);
    for _ in 0..5 {
        for rank in [2, 0, 3, 1] {
            // A start is not at the same nanosecond everywhere.
            way.report(rank, u64::from(rank) * 20_000_000);
            way.turn(Nanos::ZERO);
        }
    }
    assert_eq!(way.told(), (5, 0));
}

#[test]
fn a_member_that_is_gone_is_counted_up_to_what_it_said() {
    let mut way = MemberStreams::new(RELEASE);
    for interval in 0..4 {
        for rank in 0..MEMBERS {
            if rank != 2 || interval < 2 {
                way.report(rank, 0);
            }
        }
        if interval == 1 {
            way.junction.come(2, Piece::Ended);
        }
        way.turn(Nanos::ZERO);
    }
    // By its end, nothing of it can be added up any more.
    assert_eq!((way.told(), way.ended), ((1, 3 * 4 - 2), vec![2]));
}

#[test]
fn nobody_waits_for_one_who_is_late() {
    let mut way = MemberStreams::new(RELEASE);
    for rank in 0..3 {
        way.report(rank, 0);
    }
    way.turn(Nanos::ZERO);
    assert_eq!(
        (&way.arrived.phases()[0], way.junction.told()),
        (&PhaseTotal::default(), (0, 0))
    );
    way.turn(LATER);
    assert_eq!(way.told(), (0, 3));
    for rank in [3, 0, 1, 2, 3] {
        way.report(rank, 0);
        way.turn(LATER);
    }
    // What it says of an interval that the others have left goes alone.
    assert_eq!(way.told(), (1, 4));
}

#[test]
fn nothing_is_asked_of_a_member_that_nobody_listens_to() {
    let mut way = MemberStreams::new(RELEASE);
    way.turn(Nanos::ZERO);
    for rank in 0..MEMBERS {
        way.report(rank, 0);
    }
    way.junction.left(1);
    way.report(1, 0);
    way.junction.come(1, Piece::Ended);
    let steps = way.junction.steps(Nanos::ZERO);
    let give = |rank| Step::Give(rank, (0, 0));
    assert_eq!(steps, [Step::End(1), give(0), give(2), give(3)]);
}

#[test]
fn what_lies_elsewhere_in_time_goes_as_it_is() {
    let mut way = MemberStreams::new(RELEASE);
    for rank in 0..MEMBERS {
        way.report(rank, if rank == 1 { SECOND / 4 } else { 0 });
    }
    way.turn(Nanos::ZERO);
    assert_eq!(way.told(), (0, u64::from(MEMBERS)));
}

#[test]
fn what_is_not_understood_goes_as_it_comes() {
    let mut way = MemberStreams::new("0.0.9");
    for rank in 0..MEMBERS {
        way.report(rank, 0);
    }
    way.turn(Nanos::ZERO);
    assert_eq!(way.told(), (0, 0));
    let mut outlet = Outlet::default();
    let pieces = [&b"Wel"[..], b"come to db3\n", b"Last login\n"].map(|text| outlet.said(text));
    let bytes = |text: &[u8]| vec![Piece::Bytes(text.to_vec())];
    let expected = [vec![], bytes(b"Welcome to db3\n"), bytes(b"Last login\n")];
    assert_eq!(pieces, expected);
}

#[test]
fn letters_are_read_as_they_were_written() {
    let column = Column {
        series: 7,
        response: true,
    };
    let down = Down::Reduce((1, 2), vec![column]);
    assert_eq!(Down::read(&down.to_bytes()), Some(down));
    let up = Up::Piece(Piece::Bytes(b"abc".to_vec()));
    assert_eq!(Up::read(&up.to_bytes()), Some(up));
    assert_eq!(Up::read(b"\xff"), None);
}
