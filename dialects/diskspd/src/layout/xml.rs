//! The XML result, element by element in the order of DISKSPD 2.2's published schema.

mod span;
mod system;

use super::figures::Figures;
use super::text::UNMEASURED;
use crate::Profile;
use crate::xml::{Element, profile_element};
use fathom_core::result::{ResultField, RunResult};

/// The result of a run that was asked for as `profile`. Its first line is `<Results>`.
pub fn xml(result: &RunResult, profile: &Profile) -> String {
    let mut root = Element::new("Results")
        .child(system::system(result))
        .child(self::profile(result, profile));
    for (time, phase) in profile.spans.iter().zip(&result.phases) {
        root.children.push(if phase.measured_ns > 0 {
            span::span(&Figures::of(result, time, phase))
        } else {
            Element::new("TimeSpan").child(Element::with_text("Error", UNMEASURED))
        });
    }
    if result.phases.is_empty() {
        let error = Element::with_text("Error", UNMEASURED);
        root.children.push(Element::new("TimeSpan").child(error));
    }
    root.render()
}

/// What was asked for, as far as it is known: nothing of a load that the source of an import does
/// not tell, and no seed.
fn profile(result: &RunResult, profile: &Profile) -> Element {
    let origin = &result.provenance.origin;
    if !origin.knows(ResultField::Workload) {
        return Element::new("Profile");
    }
    let mut element = profile_element(profile);
    if !origin.knows(ResultField::Seed) {
        drop_all(&mut element, "RandSeed");
    }
    element
}

/// Takes elements of a name out of a tree.
fn drop_all(element: &mut Element, name: &str) {
    element.children.retain(|child| child.name != name);
    for child in &mut element.children {
        drop_all(child, name);
    }
}
