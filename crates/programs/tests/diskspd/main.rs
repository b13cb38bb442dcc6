//! DISKSPD's command lines and profiles, whole: verdict, notes and what they come to.

#![allow(
    clippy::disallowed_methods,
    reason = "tests read files and start programs of their own"
)]

mod corpus;
mod drawn;
mod lines;
mod pools;
mod profiles;
mod properties;
mod reports;
