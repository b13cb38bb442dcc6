//! The two fidelities: known answers of the vendors' tables, what must never happen, and each
//! against the other.

mod agreement;
mod bench;
mod burst;
mod expression;
mod limits;
mod raid;
mod waiting;
