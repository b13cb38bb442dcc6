//! Results that DISKSPD wrote, as Fathom's own.

mod load;
pub(crate) mod text;
pub(crate) mod xml;
