//! Requests that are bound to the ones before them: writes that follow their trims, the last one
//! before an end, zones, and write pointers.

use crate::request::{Request, Window};
use fathom_core::spec::{Cursor, IoKind, Job, Walk};
use fathom_core::units::Percent;
use fathom_core::{Bytes, Op};

/// How far a walk has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walking {
    /// A trim, then a write at the same place.
    TrimFirst {
        /// The trim whose write is owed.
        trimmed: Option<Request>,
    },
    /// Of several sizes, of which those are taken that fit.
    Fitting,
    /// To the last byte of the window.
    ToTheEnd,
    /// From zone to zone.
    Zones {
        /// The window that the zones are of.
        whole: Window,
        /// Length of a zone.
        len: u64,
        /// From the start of a zone to that of the next.
        step: u64,
        /// Bytes of requests in a zone.
        share: u64,
        /// Bytes of requests that this zone has had.
        done: u64,
        /// Begin of this zone, relative to the window.
        at: u64,
        /// Whether no request of this zone has been made.
        is_new: bool,
    },
    /// To the write pointers of zones.
    WritePointers,
}

/// What binds the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// It is this one.
    Same(Request),
    /// It is of a size that fits where it goes.
    Fitting,
    /// It is the next in order, as long as there is room.
    Cut,
    /// It is where a zone's write pointer is.
    AtPointer,
    /// It is in this zone.
    In {
        /// First byte.
        start: u64,
        /// Length in bytes.
        len: u64,
        /// Whether it is the first there.
        is_new: bool,
    },
}

/// Whether one of several sizes is taken where another does not fit: in passes that go over each
/// block once, and in order.
fn fits(job: &Job) -> bool {
    let in_order = job.files.is_none()
        && job.access.stride.is_none()
        && matches!(
            job.access.cursor,
            Cursor::Own {
                stride: None | Some(Bytes(0))
            }
        )
        && job.kinds.iter().all(|kind| kind.random == Percent::ZERO);
    let has_shorter = |kind: &IoKind| {
        let alike = job.kinds.iter().filter(|other| other.op == kind.op);
        alike.map(|other| other.block_size).min() < Some(kind.block_size)
    };
    job.covers() || in_order && job.kinds.iter().any(has_shorter)
}

impl Walking {
    /// The start of a job's access pattern in a window; none if its requests are free.
    pub fn of(job: &Job, window: Window) -> Option<Self> {
        match job.access.walk {
            Walk::Free => fits(job).then_some(Self::Fitting),
            Walk::TrimFirst => Some(Self::TrimFirst { trimmed: None }),
            Walk::ToTheEnd => Some(Self::ToTheEnd),
            Walk::WritePointers { .. } => Some(Self::WritePointers),
            Walk::Zones { done, length, skip } => Some(Self::Zones {
                whole: window,
                len: length.0.min(window.len),
                step: length.0.saturating_add(skip.0),
                share: done.0,
                done: 0,
                at: 0,
                is_new: true,
            }),
        }
    }

    /// The part of the window in which single requests are placed.
    pub const fn room(&self, window: Window) -> Window {
        match self {
            Self::TrimFirst { .. } | Self::Fitting | Self::ToTheEnd | Self::WritePointers => window,
            Self::Zones { len, .. } => Window {
                start: window.start,
                len: *len,
            },
        }
    }

    /// What binds the next request.
    pub fn before(&mut self) -> Before {
        match self {
            Self::TrimFirst { trimmed } => trimmed.take().map_or(Before::Fitting, |trim| {
                Before::Same(Request {
                    op: Op::Write,
                    ..trim
                })
            }),
            Self::Fitting => Before::Fitting,
            Self::ToTheEnd => Before::Cut,
            Self::WritePointers => Before::AtPointer,
            Self::Zones {
                whole,
                len,
                step,
                share,
                done,
                at,
                is_new,
            } => {
                if *done >= *share {
                    *done = 0;
                    *is_new = true;
                    *at = at.saturating_add(*step);
                    if at.saturating_add(*len) > whole.len {
                        *at = 0;
                    }
                }
                Before::In {
                    start: whole.start + *at,
                    len: *len,
                    is_new: std::mem::take(is_new),
                }
            }
        }
    }

    /// Notes the request that was made.
    pub const fn after(&mut self, request: Request) {
        match self {
            Self::TrimFirst { trimmed } => {
                *trimmed = match request.op {
                    Op::Trim => Some(request),
                    _ => None,
                };
            }
            Self::Fitting | Self::ToTheEnd | Self::WritePointers => {}
            Self::Zones { done, .. } => *done += request.len as u64,
        }
    }
}
