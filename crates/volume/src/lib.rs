//! Volumes: models of what limits them, what they cost, and the planner over both.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
