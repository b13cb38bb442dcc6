//! What requests are: direction, order, place, size.

use crate::option::{At, FioOption, set};
use crate::settings::Settings;
use crate::source::Wrong;
use crate::values::{choice, ranges, yes};
use crate::write::place;
use fathom_core::rows;
use fathom_tools::translation::Standing;

const LARGEST: u64 = 1 << 30;
/// Largest seed that fio reads.
const LARGEST_SEED: u64 = i64::MAX as u64;
const TRIMMED: &str = "no write is left out for a trim of what was written before; rw=trimwrite \
                       trims each block before it is written";

pub(super) static OPTIONS: &[FioOption] = rows! { FioOption;
    kept("rw", Settings::pattern).alias(&["readwrite"])
        .remark("a number after the colon makes a stride of sequential and runs of random \
             patterns, and the length of such runs varies here; fio's job ends where such a run \
             meets the end of a file whose size is no multiple of the block, and ours does not")
        .of_job(At::Requests(0), |of, pen| pen.put(of.mix.pattern()));
    near("rw_sequencer", "only sequential: an offset is not repeated on purpose",
        |_, word| choice(word, &[("sequential", ())])).unless(&["sequential"]);
    kept("rwmixread", set!(to, word => to.read_share = to.number(word, 0, 100)? as f64))
        .of_job(At::Requests(1), |of, pen| pen.put_some(of.mix.read_share()));
    kept("rwmixwrite", set!(to, word => to.read_share = 100.0 - to.number(word, 0, 100)? as f64));
    kept("percentage_random", |to, word| {
        let before = to.random_share.map(|share| share as u64);
        to.random_share = to.numbers(word, before, 0, 100)?.map(|share| share as f64);
        Ok(())
    })
        .of_job(At::Requests(5), |of, pen| {
            pen.put_some(of.mix.random_shares());
        });
    kept("norandommap", set!(to, word => to.repeats_blocks = yes(word)?)).flag()
        .remark("without it each block is visited once in a pass; with several block sizes, or \
             sequential requests in between, blocks may come again")
        .of_job(At::Order(5), |of, pen| {
            let once = of.job.access.without_repetition;
            pen.flag_if(of.is_random() && !once);
            pen.lose_if(
                of.is_random() && once && !of.mix.has_one_block(),
                Standing::Approximated,
                "without_repetition",
                "fio keeps no account of the blocks visited unless requests are aligned to their \
                 size; blocks may come again within a pass",
            );
        });
    ignored("softrandommap", "the order of a pass takes no memory");
    near("random_generator",
        "Fathom has a generator of its own; with lfsr each block is visited once in a pass, also \
         without a map", |to, word| {
        let known = [
            ("tausworthe", false),
            ("tausworthe64", false),
            ("lfsr", true),
        ];
        to.visits_once = choice(word, &known)?;
        Ok(())
    }).unless(&["tausworthe"]);
    near("random_distribution",
        "the shares of the blocks are those of fio, their places are not; normal keeps its hot \
         blocks in the middle, where fio scatters them; all directions have that of the first",
        Settings::distribution).unless(&["random"]).of_job(At::Order(4), place::write_distribution);
    kept("randrepeat", set!(to, word => to.repeats_seed = yes(word)?))
        .remark("the same offsets in each run, but not those of fio")
        .of_run(At::Run(1), |run, pen| {
            if run.workload.seed.is_none() {
                pen.put(0);
            }
        });
    kept("allrandrepeat", |to, word| {
        if yes(word)? {
            to.repeats_seed = true;
        }
        Ok(())
    });
    near("randseed", "the same offsets in each run, but not those of fio; one seed for all jobs",
        set!(to, word => to.seed = Some(to.number(word, 0, u64::MAX)?)))
        .of_run(At::Run(2), |run, pen| {
            let Some(seed) = run.workload.seed else {
                return;
            };
            pen.put(seed & LARGEST_SEED);
            pen.lose_if(
                seed > LARGEST_SEED,
                Standing::Approximated,
                "seed",
                "fio's seeds end at 2^63, so it is another one",
            );
        });
    kept("bs", |to, word| {
        to.block = to.numbers(word, to.block, 1, LARGEST)?;
        to.block_range = [None; 3];
        Ok(())
    }).alias(&["blocksize"])
        .remark("of requests at random whose smallest sizes differ by direction, as in bs=4k,8k, \
             fio 3.33 mistakes the places in its map, also where the other direction is not used: \
             it repeats some and ends too early; here a pass goes over all of them")
        .of_job(At::Requests(3), |of, pen| {
            pen.put_some(of.mix.one_size_each());
        });
    kept("bsrange", |to, word| {
        let read = ranges(word.text(), to.base)?;
        let fits = |range: &crate::values::Range| range.low > 0 && range.high <= LARGEST;
        if !read.iter().flatten().all(fits) {
            return Err(Wrong::new("a block size is out of range", "choose 1 to 1g"));
        }
        to.block_range = read;
        Ok(())
    }).alias(&["blocksize_range"]).remark("in steps of the smallest; of more than 64 steps, in 64");
    kept("bssplit", Settings::split)
        .remark("in order, where less is left at the end than the smallest, a request more is made \
             at the start")
        .of_job(At::Requests(4), |of, pen| {
            pen.put_some(of.mix.split_sizes());
        });
    kept("bs_is_seq_rand", set!(to, word => to.block_by_order = yes(word)?))
        .of_job(At::Requests(2), |of, pen| {
            pen.put_some(of.mix.is_by_order().then_some(1));
        });
    near("bs_unaligned", "sizes between the steps of a range are not drawn",
        |_, word| yes(word).map(|_| ())).alias(&["blocksize_unaligned"]).flag().unless(&["0"]);
    kept("ba", |to, word| {
        let before = to.align.map(|align| align.unwrap_or(0));
        let read = to.numbers(word, before, 0, LARGEST)?;
        to.align = read.map(|align| (align > 0).then_some(align));
        Ok(())
    }).alias(&["blockalign"])
        .remark("another than the smallest size goes with no map of fio's: it repeats places, and \
             may end early; here blocks may come again with a smaller one, and do not with a \
             larger one").of_job(At::Requests(6), |of, pen| pen.put_some(of.mix.alignments()));
    refused("trim_percentage", TRIMMED).unless(&["0"]);
    refused("trim_verify_zero", TRIMMED).unless(&["0", "1"]);
    refused("trim_backlog", TRIMMED).unless(&["0"]);
    refused("trim_backlog_batch", TRIMMED).unless(&["0"]);
    refused("flow",
        "not supported by Fathom; one job with `rwmixread`, or a `rate` for each job, keeps a \
         ratio").unless(&["0"]);
    refused("flow_id", "only with `flow`");
    ignored("flow_sleep", "only with `flow`");
};
