//! How long a plan over the whole catalogue takes, with prices: `cargo run --profile dist -p
//! fathom-benches --bin fathom-plans`. The aim is less than 50 ms for the slowest.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "the table is its purpose")]

use fathom_engine::Clock;
use fathom_volume::Cloud;
use fathom_volume::catalog::{Catalog, Date};
use fathom_volume::plan::{ANY_MACHINE, Market, Need, Scope, Wish, plan};

const ROUNDS: usize = 15;
const AIM_MS: f64 = 50.0;

/// Requests a second, KiB of each, GiB of room, cloud.
const QUESTIONS: [(f64, f64, f64, Option<Cloud>); 8] = [
    (500.0, 8.0, 100.0, None),
    (8_000.0, 16.0, 1_024.0, None),
    (16_000.0, 16.0, 931.0, None),
    (60_000.0, 8.0, 2_000.0, None),
    (2_000.0, 256.0, 4_096.0, None),
    (16_000.0, 16.0, 931.0, Some(Cloud::Aws)),
    (16_000.0, 16.0, 931.0, Some(Cloud::Azure)),
    (16_000.0, 16.0, 931.0, Some(Cloud::Gcp)),
];

fn need(iops: f64, kib: f64, gib: f64) -> Need {
    let wish = Wish {
        iops: Some(iops),
        block_bytes: Some(kib * 1_024.0),
        reads: Some(0.7),
        random: Some(1.0),
        capacity_gib: Some(gib),
        ..Wish::default()
    };
    wish.resolve().expect("the wish is valid")
}

/// Milliseconds, sorted.
fn timed(mut what: impl FnMut()) -> Vec<f64> {
    let mut clock = Clock::monotonic();
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let begin = clock.now();
            what();
            (clock.now() - begin).0 as f64 / 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

fn main() {
    let read = timed(|| drop(Catalog::embedded()));
    println!("reading the catalogue: median {:.1} ms", read[ROUNDS / 2]);
    let catalog = Catalog::embedded();
    let at: Date = "2026-11-22".parse().expect("a day");
    let mut slowest = 0.0_f64;
    for (iops, kib, gib, cloud) in QUESTIONS {
        let need = need(iops, kib, gib);
        let market = Market {
            catalog: &catalog,
            at,
            region: None,
            instance: None,
            cloud,
            max_volumes: 8,
            wanted: &ANY_MACHINE,
            scope: Scope::Whole,
            terms: &fathom_volume::catalog::LIST_PRICES,
        };
        let rows = plan(&need, &market).offers.len();
        let times = timed(|| drop(plan(&need, &market)));
        slowest = slowest.max(times[ROUNDS / 2]);
        let of = cloud.map_or_else(|| "all clouds".to_owned(), |cloud| cloud.to_string());
        println!(
            "{iops} IOPS of {kib} KiB, {gib} GiB, {of}: {rows} rows, median {:.1} ms, most \
             {:.1} ms",
            times[ROUNDS / 2],
            times[ROUNDS - 1]
        );
    }
    let word = if slowest < AIM_MS { "below" } else { "above" };
    println!("the slowest is {word} {AIM_MS} ms: {slowest:.1} ms");
}
