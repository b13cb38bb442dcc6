//! Whether what is wrong is seen: devices with one misfortune each, of random size above what
//! must be seen.

use crate::bench::{Dice, Load, alarms, cap, device, judged, noisy, number, under};
use fathom_core::CodeWord;
use fathom_core::Nanos;
use fathom_core::{CapUnit, Op};
use fathom_engine::sim::VolumeModel;
use fathom_verdict::Code;
use fathom_volume::models::ServiceLaw;
use fathom_volume::models::layers::{
    CounterLayer, Fault, Faults, Lie, Neighbour, ReadCache, Scope, WriteCache,
};

/// What goes wrong, with the code that has to be raised.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Misfortune {
    ReadCache,
    ReadsUncounted,
    WritesUncounted,
    FlushesIgnored,
    FlushesUncounted,
    Neighbour,
    Errors,
    Short,
}

pub(crate) const MISFORTUNES: [(Misfortune, Code); 8] = [
    (Misfortune::ReadCache, Code::CacheReads),
    (Misfortune::ReadsUncounted, Code::CacheReads),
    (Misfortune::WritesUncounted, Code::WritesDeferred),
    (Misfortune::FlushesIgnored, Code::FlushMissing),
    (Misfortune::FlushesUncounted, Code::FlushMissing),
    (Misfortune::Neighbour, Code::Neighbour),
    (Misfortune::Errors, Code::IoErrors),
    (Misfortune::Short, Code::ShortTransfers),
];

impl Misfortune {
    /// Least and greatest size that has to be seen: a share, or of how many requests one is spoilt.
    const fn sizes(self) -> (f64, f64) {
        match self {
            Self::ReadCache => (0.07, 1.0),
            Self::ReadsUncounted | Self::WritesUncounted => (0.07, 0.98),
            Self::FlushesIgnored | Self::FlushesUncounted => (1.0, 1.0),
            Self::Neighbour => (0.1, 0.5),
            Self::Errors | Self::Short => (10.0, 1_000.0),
        }
    }
}

/// The codes that a run on a device with a misfortune raises, one of a size or of a random one
/// that has to be seen.
pub(crate) fn codes(misfortune: Misfortune, size: Option<f64>, seed: u64) -> Vec<CodeWord> {
    let mut dice = Dice::new(seed ^ 0xbad);
    let rate = dice.between(100.0, 600.0);
    let service = ServiceLaw::LogNormal(dice.between(200e3, 1e6), 0.3);
    let caps = [cap("volume", CapUnit::Iops, rate, None)];
    let below = noisy(Box::new(device(&[], &caps, service, seed)), seed);
    let (least, most) = misfortune.sizes();
    let drawn = dice.between(least, most);
    let model = spoilt(misfortune, below, size.unwrap_or(drawn), rate, seed);
    let load = Load {
        block_bytes: 16 << 10,
        queue_depth: dice.one_of(&[4, 8, 16]),
        reads: dice.one_of(&[40.0, 60.0]),
        seconds: 20,
        sync: Some(32),
    };
    let result = judged(load, model, &[]);
    let notes = result.caveats.iter().map(|caveat| &caveat.code);
    // A short transfer is told in a note.
    let notes = notes.filter(|code| **code == Code::ShortTransfers);
    let all = alarms(&result).into_iter().chain(notes);
    all.cloned().collect()
}

fn spoilt(
    misfortune: Misfortune,
    below: Box<dyn VolumeModel>,
    size: f64,
    rate: f64,
    seed: u64,
) -> Box<dyn VolumeModel> {
    let honest = CounterLayer::new(Lie::default());
    let ack = Nanos(20_000);
    match misfortune {
        Misfortune::ReadCache => {
            let cache = ReadCache::new(size, ack);
            under(under(below, honest), cache)
        }
        Misfortune::ReadsUncounted => liar(below, |lie, share| lie.reads = share, size),
        Misfortune::WritesUncounted => liar(below, |lie, share| lie.writes = share, size),
        Misfortune::FlushesIgnored => {
            // Drained faster than the volume takes it.
            let cache = WriteCache::new(16 << 20, rate * 16384.0, ack).without_flush();
            under(under(below, honest), cache)
        }
        Misfortune::FlushesUncounted => {
            let witness = CounterLayer::new(Lie {
                flushes: 0.0,
                ..Lie::default()
            });
            under(below, witness)
        }
        Misfortune::Neighbour => {
            let beside = Neighbour::new(rate * size, Op::Read, 16 << 10, seed);
            under(under(below, honest), beside)
        }
        Misfortune::Errors => spoiling(Fault::Error(5), under(below, honest), size),
        Misfortune::Short => spoiling(Fault::Short, under(below, honest), size),
    }
}

/// A device that counts a share of what it does.
fn liar(
    below: Box<dyn VolumeModel>,
    lie: impl Fn(&mut Lie, f64),
    size: f64,
) -> Box<dyn VolumeModel> {
    let mut told = Lie::default();
    lie(&mut told, 1.0 - size);
    under(below, CounterLayer::new(told))
}

fn spoiling(fault: Fault, below: Box<dyn VolumeModel>, size: f64) -> Box<dyn VolumeModel> {
    let every = size as u64;
    under(below, Faults::new(fault, every, Scope::Reads))
}

#[test]
fn misfortunes_are_seen() {
    let devices = number(2, 40);
    let mut missed = Vec::new();
    println!("misfortune        seen  others raised beside it");
    for (misfortune, code) in MISFORTUNES {
        let (mut seen, mut others) = (0, Vec::new());
        for seed in 0..devices {
            let found = codes(misfortune, None, seed);
            seen += u64::from(found.iter().any(|one| *one == code));
            others.extend(found.into_iter().filter(|one| *one != code));
        }
        others.sort_unstable();
        others.dedup();
        let others: Vec<&str> = others.iter().map(CodeWord::as_str).collect();
        println!(
            "{:<18}{seen} of {devices}  {others:?}",
            format!("{misfortune:?}")
        );
        if seen < devices {
            missed.push((code, seen));
        }
    }
    assert_eq!(missed, []);
}
