//! The parts of a request's time.

use crate::request::Request;
use fathom_core::result::blame::Parts;

/// The parts of a request; none where its queueing or its completion was not seen.
pub(super) fn parts_of(request: &Request) -> Option<Parts> {
    let early = request.early;
    let queued_ns = early.queued_ns?;
    // Without either event all of the wait counts as one behind the tags.
    let asked_ns = early.asked_ns.or(early.inserted_ns).unwrap_or(queued_ns);
    let held_ns = asked_ns.min(queued_ns);
    Some(Parts {
        submit_ns: queued_ns - held_ns,
        held_ns,
        device_ns: request.service_ns?,
    })
}
