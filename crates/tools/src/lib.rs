//! Other tools, a folder each: what reads and writes their inputs, lays results out as they do, and
//! reads their results. And text to workload in our own format, with every error on its line.
//!
//! [`native`] is Fathom's own format; [`profiles`] are the workloads that come with the program,
//! written in it, and [`suite`]s are made of several; [`results`] are those of other programs. What
//! is wrong with a text is reported as [`Diagnostic`]s, all of them at once.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "tests make files of their own")
)]

pub mod call;
pub mod coverage;
pub mod diagnostic;
pub mod dialects;
pub mod drives;
pub mod faults;
pub mod left_out;
pub mod losses;
pub mod native;
pub mod own_names;
pub mod plain_job;
pub mod profiles;
pub mod program;
pub mod rebinding;
pub mod recordings;
pub mod request_log;
pub mod results;
pub mod servers;
pub mod so_far;
pub mod studies;
pub mod suite;
pub mod translation;
pub mod words;
pub mod writers;

pub use call::{
    Answer, Apart, Beside, Call, Given, JobsByPhase, LaterFile, Meanwhile, OwnWords, Refusal,
    Reply, Said,
};
pub use diagnostic::{Diagnostic, Severity, Skipped};
pub use dialects::{Dialect, Nowhere, Surroundings, Translate, TranslateWords};
pub use drives::{Drive, OnDrives, drive};
pub use program::{Layout, Program, Statuses};
pub use request_log::{LoggedRequest, RequestLog, RequestWriter};
pub use servers::{Client, ServerPlace, ServerTransport, Serving};
pub use so_far::SoFar;
pub use translation::{Affinity, Note, RunWishes, Standing, Together, Translation, told_notes};
pub use words::shell_words;
pub use writers::{Write, Writer, Written};
