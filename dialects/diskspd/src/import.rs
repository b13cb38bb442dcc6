//! Results that DISKSPD wrote, as Fathom's own.

mod load;
pub(crate) mod text;
mod threads;
pub(crate) mod xml;
