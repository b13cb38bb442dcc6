//! The parts of a request's time.

use crate::request::Request;
use fathom_core::result::blame::Parts;

/// The parts of a request; none where its queueing or its completion was not seen, and of a
/// request of a disk that its volume did not wait for. The last request for one of a volume has
/// the time of that one.
pub(super) fn parts_of(request: &Request) -> Option<Parts> {
    let early = request.early;
    let (before_ns, after_ns) = match early.above {
        None => (early.queued_ns?, 0),
        Some(above) => {
            let last = above.last?;
            (last.queued_ns, last.after_ns)
        }
    };
    // A request of several bios has the instants of the first, which may be before this one.
    let queued_ns = early.queued_ns.unwrap_or(before_ns).min(before_ns);
    let held_ns = held_ns(request).unwrap_or(queued_ns).min(queued_ns);
    Some(Parts {
        submit_ns: queued_ns - held_ns,
        held_ns,
        device_ns: request.service_ns?,
        layers_ns: (before_ns - queued_ns).saturating_add(after_ns),
    })
}

/// From the tag to the issue; all of the wait counts as one behind the tags where neither event is
/// known.
pub(super) fn held_ns(request: &Request) -> Option<u64> {
    request.early.asked_ns.or(request.early.inserted_ns)
}

/// Whether a volume waited for another request of a disk after this one.
pub(super) fn is_not_last(request: &Request) -> bool {
    request
        .early
        .above
        .is_some_and(|above| above.last.is_none())
}
