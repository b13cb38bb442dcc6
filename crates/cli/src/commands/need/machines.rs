//! Machines that let a need through to their volumes.

use crate::args::NeedArgs;
use crate::commands::catalog::Known;
use crate::commands::{plan, volume_model};
use crate::error::Problem;
use crate::exit::Exit;
use crate::paragraph::wrapped;
use crate::table::Table;
use fathom_core::figure;
use fathom_volume::Cloud;
use fathom_volume::plan::{Machine, Market, Scope, Wish, machine, machines};
use fathom_volume::sizing::Peak;

/// Machines that are shown of each cloud.
const SHOWN: usize = 5;
const HEADS: [&str; 9] = [
    "MACHINE",
    ">vCPU",
    ">CORES",
    ">MEMORY",
    "ARCH",
    "ATTACHED",
    ">Gbit/s",
    ">MB/s TO DISKS",
    ">A MONTH",
];

/// The cheapest machines of each cloud.
pub(super) struct Machines {
    found: Vec<(Cloud, Vec<Machine>)>,
    /// Whether one cloud was asked for.
    of_one: bool,
    /// The one of `--instance`, whether it is enough or not.
    own: Option<Machine>,
}

/// Whether machines were asked for.
pub(super) fn is_asked(args: &NeedArgs) -> bool {
    let machine = &args.machine;
    let words = [&machine.arch, &machine.interface, &args.cloud];
    args.sas.sas_cores.is_some()
        || machine.vcpus.or(machine.cores).is_some()
        || machine.memory.is_some()
        || machine.network.is_some()
        || words.into_iter().any(Option::is_some)
}

impl Machines {
    /// Those that let each of the loads through.
    pub(super) fn of(args: &NeedArgs, known: &Known, peaks: &[Peak]) -> Result<Self, Problem> {
        let wanted = args.sas.on(args.machine.wanted());
        let cloud = args.cloud.as_deref().and_then(Cloud::of_folder);
        if let Some(region) = &args.region {
            plan::check_region(known, region, cloud)?;
        }
        let market = Market {
            catalog: &known.catalog,
            at: known.at,
            region: args.region.as_deref(),
            instance: None,
            cloud,
            max_volumes: 1,
            wanted: &wanted,
            scope: Scope::Machine,
            terms: &fathom_volume::catalog::LIST_PRICES,
        };
        let mut peaks = peaks.iter().cloned();
        let first = peaks.next();
        let wish = Wish {
            iops: first.as_ref().map(|peak| peak.iops),
            flow: first.map(|peak| peak.flow),
            capacity_gib: Some(1.0),
            also: peaks.collect(),
            ..Wish::default()
        };
        let need = wish
            .resolve()
            .map_err(|error| Problem::new(Exit::Usage, error.to_string()))?;
        // With volumes it is the one that they are attached to.
        let own = if args.volume.is_empty() {
            volume_model::instance(known, &args.instance)?
        } else {
            None
        };
        Ok(Self {
            own: own.map(|row| machine(row, &need, &market)),
            found: machines(&need, &market, SHOWN),
            of_one: cloud.is_some(),
        })
    }

    /// The one that was named.
    pub(super) const fn own(&self) -> Option<&Machine> {
        self.own.as_ref()
    }

    /// A table, and what it leaves open.
    pub(super) fn text(&self) -> String {
        let mut table = Table::new(&HEADS);
        let mut notes = Vec::new();
        for (cloud, machines) in &self.found {
            if machines.is_empty() {
                notes.push(format!(
                    "no machine of {cloud} is known that has all of this"
                ));
            }
            for machine in machines {
                table.row(row(machine));
            }
        }
        if !self.of_one {
            notes.push(
            "Google Cloud states what a machine lets through for each type of disk: `fathom plan \
             --cloud gcp`"
                .to_owned(),
        );
        }
        let notes: String = notes.iter().map(|note| wrapped(note)).collect();
        if self.found.iter().all(|(_, machines)| machines.is_empty()) {
            return notes;
        }
        let notes = if notes.is_empty() {
            notes
        } else {
            format!("\n{notes}")
        };
        format!(
            "machines that let this through to their disks without end, the cheapest of each \
             cloud\n{}{notes}",
            table.on_page()
        )
    }

    pub(super) fn all(&self) -> Vec<&Machine> {
        let machines = self.found.iter().flat_map(|(_, machines)| machines);
        machines.collect()
    }
}

fn row(machine: &Machine) -> [String; 9] {
    let number = |number: Option<u32>| number.map_or_else(String::new, |number| number.to_string());
    let memory = machine.memory_mib.map(|mib| mib << 20);
    let network = machine.network_bits.map(|bits| bits / 1e9);
    [
        machine.in_words(),
        number(machine.vcpus),
        number(machine.cores),
        memory.map_or_else(String::new, figure::size),
        machine.arch.clone().unwrap_or_default(),
        machine.attached.clone().unwrap_or_default(),
        network.map_or_else(String::new, figure::significant),
        machine
            .bytes_per_second
            .map_or_else(String::new, figure::megabytes),
        machine.price.as_ref().map_or_else(
            || "unknown".to_owned(),
            |price| format!("{} {}", figure::decimal(price.month(), 2), price.currency),
        ),
    ]
}
