//! What is shown while a run goes on: a full screen in a terminal, plain lines elsewhere.

mod app;
mod clock_face;
mod plain;
mod screen;
mod view;

pub(crate) use app::App;
pub(crate) use plain::Plain;
pub(crate) use screen::Screen;

#[cfg(test)]
mod fixture;
