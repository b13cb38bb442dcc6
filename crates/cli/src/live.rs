//! What is shown while a run goes on: a full screen in a terminal, plain lines elsewhere.

mod app;
mod canvas;
mod clock_face;
mod hasty;
mod plain;
mod screen;
mod tty;
mod view;

pub(crate) use app::App;
pub(crate) use canvas::Canvas;
pub(crate) use hasty::HastyStderr;
pub(crate) use plain::Plain;
pub(crate) use screen::Screen;
pub(crate) use tty::Tty;

#[cfg(test)]
mod fixture;
