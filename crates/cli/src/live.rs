//! What is shown while a run goes on: a full screen in a terminal, plain lines elsewhere.

mod app;
mod canvas;
mod chart;
mod clock_face;
mod course;
mod hasty;
mod hosts;
mod plain;
mod screen;
mod surround;
mod table;
mod view;

pub(crate) use crate::platform::Tty;
pub(crate) use app::App;
pub(crate) use canvas::Canvas;
pub(crate) use chart::{Bar, Chart, Segment, draw_axis};
pub(crate) use hasty::HastyStderr;
pub(crate) use plain::Plain;
pub(crate) use screen::Screen;
pub(crate) use surround::{Key, KeyWords, Surround, shortened};
pub(crate) use table::draw as draw_table;

#[cfg(test)]
mod fixture;
#[cfg(test)]
pub(crate) mod screens;
