//! How much storage a load needs: from what was observed, and by the arithmetic of arrays, buses
//! and SAS servers.

mod basis;
mod bus;
mod observed;
mod raid;
mod replay;
mod sas;
mod together;

pub use basis::{Basis, Peak};
pub use bus::disks_of_bus;
pub use observed::{FlatTop, Observed, Vector, observe};
pub use raid::{backend_iops, data_disks, disks_needed, frontend_iops, write_penalty};
pub use replay::{Lowest, NoLengths, Replay, never_held, replay};
pub use sas::{SAS_MEMORY_MIB_PER_CORE, SasRule, SasVerdict};
pub use together::{DeviceNames, NotTogether, together};
