//! The vendors' own feeds, which a user downloads: prices and instances as they are today, read
//! item by item, compared with the catalogue, and written as rows that add to it.

mod amazon;
mod azure;
mod difference;
mod document;
mod fresh;
mod google;
mod overlay;

pub use difference::{Change, Count, Difference, difference};
pub use document::{Fed, FeedError, FeedKind, read};
pub use fresh::{Fresh, FreshInstance, FreshMachinePrice, FreshPrice};
pub use overlay::{OverlayError, OverlayFile, overlay};
