//! Linux: children, sockets, and one set to wait on.

mod call;
mod child;
mod listener;
mod streams;
mod words;

pub use child::Children;
pub use listener::Listener;
pub use streams::Streams;
