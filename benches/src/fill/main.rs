//! How fast the content of writes is made, in GB/s of one core, compared with a copy of the same
//! bytes.
//!
//! Nothing is written anywhere: a buffer of 256 KiB, as a block in flight is, stays in the cache of
//! the core. Each row is the median of rounds that take turns, with the slowest and the fastest.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "the table is its purpose")]

use fathom_core::spec::{Data, Fill};
use fathom_core::{Nanos, Percent};
use fathom_engine::{Clock, Vectors};
use fathom_load::Filler;
use std::hint::black_box;

const BUFFER_BYTES: usize = 256 << 10;
const ROUND: Nanos = Nanos(100_000_000);
const ROUNDS: usize = 9;

/// Gives a buffer its content.
type Make = Box<dyn FnMut(&mut [u8])>;

/// A way to give a buffer its content.
struct FillMethod {
    name: String,
    rates: Vec<f64>,
    make: Make,
}

impl FillMethod {
    fn new(name: String, make: impl FnMut(&mut [u8]) + 'static) -> Self {
        Self {
            name,
            rates: Vec::new(),
            make: Box::new(make),
        }
    }
}

fn main() {
    let filler = |fill, compressible_to, vectors| {
        let data = Data {
            fill,
            compressible_to: Percent(compressible_to),
            ..Data::PLAIN
        };
        let mut filler = Filler::new(&data, 1, 1).with_vectors(vectors);
        let mut is_new = true;
        move |buffer: &mut [u8]| {
            if std::mem::take(&mut is_new) {
                filler.prepare(buffer);
            }
            let len = buffer.len();
            filler.refresh(buffer, len);
        }
    };
    let source = vec![7_u8; BUFFER_BYTES];
    let copy = move |buffer: &mut [u8]| buffer.copy_from_slice(&source);
    let mut ways = vec![FillMethod::new("copy".to_owned(), copy)];
    for vectors in Vectors::here() {
        let name = format!("random, {}", vectors.name());
        ways.push(FillMethod::new(name, filler(Fill::Random, 100.0, vectors)));
    }
    let widest = Vectors::widest();
    for (name, fill, share) in [
        ("random, half of it", Fill::Random, 50.0),
        ("scrambled", Fill::Scrambled, 100.0),
    ] {
        ways.push(FillMethod::new(
            name.to_owned(),
            filler(fill, share, widest),
        ));
    }
    let mut buffer = vec![0; BUFFER_BYTES];
    for _ in 0..ROUNDS {
        for way in &mut ways {
            let rate = rate(&mut buffer, &mut way.make);
            way.rates.push(rate);
        }
    }
    println!(
        "{:<20} {:>8} {:>8} {:>8}",
        "content", "GB/s", "slowest", "fastest"
    );
    for way in &mut ways {
        way.rates.sort_by(f64::total_cmp);
        let [least, median, most] = [0, ROUNDS / 2, ROUNDS - 1].map(|at| way.rates[at] / 1e9);
        println!("{:<20} {median:>8.2} {least:>8.2} {most:>8.2}", way.name);
    }
}

/// Bytes a second over one round.
fn rate(buffer: &mut [u8], make: &mut dyn FnMut(&mut [u8])) -> f64 {
    let mut clock = Clock::monotonic();
    make(buffer);
    let begin = clock.now();
    let mut bytes = 0_u64;
    loop {
        make(black_box(buffer));
        bytes += buffer.len() as u64;
        let taken = clock.now().saturating_sub(begin);
        if taken >= ROUND {
            return bytes as f64 / taken.as_secs_f64();
        }
    }
}
