//! A client whose own network link was full.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{megabytes, percent};
use fathom_core::result::{NetworkUse, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of what a link carries beyond which it sets the pace: frames and headers take some 5 %
    LINE_RATE: f64 = 0.90, Share, Decided "docs/many-hosts.md";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the network of this machine was saturated",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { NetworkFull: Generator, Machine, "qualified",
        "a link transferred {LINE_RATE} of its capacity in one direction, for storage on another \
         machine",
        [row::LINE_RATE],
        Example::Run(samples::reads, |r| {
            samples::served(r);
            samples::network(r, 1.19e9);
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if !result.provenance.targets.iter().any(subject::is_elsewhere) {
        return;
    }
    for phase in &result.phases {
        let links = phase.ledger.iter().flat_map(|ledger| &ledger.network);
        for link in links {
            let share = |bytes: u64| rate(bytes, phase.measured_ns) / link.bytes_per_second();
            let fullest = share(link.received_bytes).max(share(link.sent_bytes));
            if fullest >= LINE_RATE {
                let subject = subject::phase(result, phase);
                caveats.push(caveat(link, fullest).about(subject));
            }
        }
    }
}

fn rate(bytes: u64, measured_ns: u64) -> f64 {
    bytes as f64 / (measured_ns.max(1) as f64 / 1e9)
}

fn caveat(link: &NetworkUse, share: f64) -> Caveat {
    let message = format!(
        "{} transferred {} of its {} MB/s. The network of this machine is the limit",
        link.name,
        percent(share * 100.0),
        megabytes(link.bytes_per_second())
    );
    let remedy = "use more machines (--hosts), or a faster link";
    let caveat = Code::NetworkFull.caveat(Level::Qualified, message);
    caveat.remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;

    #[test]
    fn a_link_is_full_near_its_line_rate() {
        let codes = |rate: f64| {
            let mut result = samples::reads();
            samples::served(&mut result);
            samples::network(&mut result, rate);
            found(&CHECK, &result).len()
        };
        // 10 Gbit/s are 1,250 MB/s, and nine tenths of that 1,125.
        assert_eq!((codes(1.124e9), codes(1.126e9)), (0, 1));
        let mut local = samples::reads();
        samples::network(&mut local, 1.2e9);
        assert_eq!(found(&CHECK, &local), []);
    }
}
