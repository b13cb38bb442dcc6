//! Both readings of requests in memory.

use super::{Blaming, Census, Counted, Names};
use crate::file::Spool;
use crate::request::{Request, Task};
use fathom_core::result::blame::Blame;
use std::ops::Range;

/// Explains the requests of somebody, by name or number, that were in the device in a window of
/// time. Without a name, those of the process with the most.
///
/// # Errors
///
/// Who made how many requests, where there are too few of them.
pub fn of_spool(
    spool: &Spool,
    tasks: &[Task],
    window_ns: &Range<u64>,
    name: Option<&str>,
    names: &Names,
) -> Result<Blame, Vec<Counted>> {
    let is_in = |one: &Request| {
        let done_ns = one
            .service_ns
            .map(|service| one.at_ns.saturating_add(service));
        one.at_ns < window_ns.end && done_ns.is_none_or(|done| done >= window_ns.start)
    };
    let mut in_window = Vec::new();
    let mut read = |each: &mut dyn FnMut(&[Request])| {
        spool.read(window_ns.start, &mut |chunk| {
            in_window.clear();
            in_window.extend(chunk.iter().copied().filter(is_in));
            each(&in_window);
        });
    };
    let mut census = Census::looked_for(name, &names.left_out);
    read(&mut |requests| census.add(requests, tasks));
    let counted = census.finish();
    let Some(mut blaming) = Blaming::new(counted.clone(), name, names.clone()) else {
        return Err(counted);
    };
    read(&mut |requests| blaming.add(requests, tasks));
    Ok(blaming.finish())
}
