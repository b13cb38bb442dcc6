//! The machine.

use crate::layout::text::system::start;
use crate::processor_group::{GROUP, cores};
use crate::xml::Element;
use fathom_core::SmallSort as _;
use fathom_core::result::{ProcessorUse, ResultField, RunResult};
use std::collections::BTreeMap;

/// Processors of one thing, as a mask for each group.
type Masks = BTreeMap<(u32, u32), u64>;

pub(super) fn system(result: &RunResult) -> Element {
    let provenance = &result.provenance;
    let mut element = Element::new("System");
    element.put("ComputerName", &provenance.host.hostname);
    let mut tool = Element::new("Tool");
    tool.put("Version", &format!("Fathom {}", provenance.version));
    // Fathom has a version and no date.
    tool.put("VersionDate", "");
    element.children.push(tool);
    if provenance.origin.knows(ResultField::StartedAt) {
        element.put("RunTime", &format!("{} UTC", start(&provenance.started_at)));
    } else {
        element.put("RunTime", "");
    }
    let processors = result
        .phases
        .first()
        .map_or(&[][..], |phase| &phase.process.processors);
    element.child(topology(processors, provenance.host.cpus))
}

fn topology(processors: &[ProcessorUse], cpus: u32) -> Element {
    // Without a look at each, every processor is a core of one package.
    let assumed: Vec<ProcessorUse> = (0..cpus)
        .map(|number| ProcessorUse {
            number,
            core: number,
            ..ProcessorUse::default()
        })
        .collect();
    let processors = if processors.is_empty() {
        &assumed
    } else {
        processors
    };
    let masks = |of: &dyn Fn(usize) -> u32| {
        let mut masks = Masks::new();
        for (index, one) in processors.iter().enumerate() {
            *masks.entry((of(index), one.number / GROUP)).or_default() |= 1 << (one.number % GROUP);
        }
        masks
    };
    let cores = cores(processors);
    let mut element = Element::new("ProcessorTopology").attribute("Heterogeneous", "false");
    for ((group, _), mask) in masks(&|index| processors[index].number / GROUP) {
        element.children.push(
            Element::new("Group")
                .attribute("Group", &group)
                .attribute("MaximumProcessors", &mask.count_ones())
                .attribute("ActiveProcessors", &mask.count_ones())
                .attribute("ActiveProcessorMask", &format!("0x{mask:x}")),
        );
    }
    add(
        &mut element,
        "Node",
        &masks(&|index| processors[index].node),
    );
    add(
        &mut element,
        "Socket",
        &masks(&|index| processors[index].socket),
    );
    let by_core = masks(&|index| cores[index]);
    let mut by_core: Vec<_> = by_core.into_iter().collect();
    by_core.small_sort_by_key(|((core, group), _)| (*group, *core));
    for ((core, group), mask) in by_core {
        element.children.push(
            Element::new("Core")
                .attribute("Group", &group)
                .attribute("Core", &core)
                .attribute("Mask", &format!("0x{mask:x}"))
                .attribute("EfficiencyClass", &0),
        );
    }
    element
}

/// Nodes or sockets, each with its part of every group.
fn add(element: &mut Element, name: &str, masks: &Masks) {
    let mut last = None;
    for ((number, group), mask) in masks {
        if last != Some(number) {
            let one = Element::new(name).attribute(name, number);
            element.children.push(one);
            last = Some(number);
        }
        if let Some(one) = element.children.last_mut() {
            one.children.push(
                Element::new("Group")
                    .attribute("Group", group)
                    .attribute("Mask", &format!("0x{mask:x}")),
            );
        }
    }
}
