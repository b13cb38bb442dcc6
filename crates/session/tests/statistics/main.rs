//! How often the verdict is right: random simulated devices whose truth is known.
//!
//! A few run with the ordinary tests. The tables with the full numbers, which a change of a
//! threshold or of an attribution needs, come from
//!
//! ```text
//! FATHOM_STATISTICS=full cargo test --release -p fathom-load --test statistics -- --nocapture
//! ```

#![allow(
    clippy::disallowed_methods,
    reason = "tests read files and start programs of their own"
)]

mod bench;
mod calibration;
mod clean;
mod culprits;
mod known;
mod limits;
mod made;
mod misfortunes;
mod pace;
mod sweep;
