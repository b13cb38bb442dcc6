//! The planner: from what a load needs to layouts that give it, for how long and at what price.
//!
//! [`Need`] is what is asked for, [`weigh`] puts one layout on the scales, [`plan`] looks through
//! the catalogue and ranks what it finds. Every figure follows from limits of the catalogue and
//! the counting rules of the models; [`arithmetic()`] writes the steps down line by line.

mod arithmetic;
mod choices;
mod cost;
mod figures;
mod need;
mod offer;
mod search;
mod smallest;
mod sweep;

pub use arithmetic::arithmetic;
pub use cost::Cost;
pub use figures::{Figures, Term};
pub use need::{Need, NeedError, Wish};
pub use offer::{Meets, Offer, Ordered, weigh};
pub use search::{Market, Plan, compare, plan};
pub use smallest::Smallest;
pub use sweep::{Sweep, SweepPoint, sweep};
