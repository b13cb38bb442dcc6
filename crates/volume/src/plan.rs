//! The planner: from what a load needs to layouts that give it, for how long and at what price.
//!
//! [`Need`] is what is asked for, [`weigh`] puts one layout on the scales, [`plan`] looks through
//! the catalogue and ranks what it finds. Every figure follows from limits of the catalogue and
//! the counting rules of the models; [`arithmetic()`] writes the steps down line by line.

mod arithmetic;
mod beyond;
mod budget;
mod choices;
mod cost;
mod dominance;
mod ephemeral;
mod figures;
mod generation;
mod machines;
mod need;
mod offer;
mod picks;
mod risk;
mod roles;
mod search;
mod sweep;
mod unpriced;

pub use arithmetic::arithmetic;
pub use budget::afford;
pub use cost::{Cost, Scope};
pub use figures::{Figures, Term};
pub use machines::{ANY_MACHINE, Machine, Wanted, machine, machines};
pub use need::{Need, NeedError, Played, Wish};
pub use offer::{Meets, Offer, Ordered, weigh};
pub use picks::{Pick, Reason, Twice};
pub use risk::risks;
pub use roles::{RoleNeed, RoleOffer, RolesPlan, plan_roles};
pub use search::{Market, Plan, compare, nearest_on_sale, plan, with_larger_chunks};
pub use sweep::{Sweep, SweepPoint, sweep};
