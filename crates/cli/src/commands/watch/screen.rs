//! The monitor on a terminal: moments become pictures, keys become wishes.

use super::view::{self, Watched};
use crate::live::{Canvas, Key, Tty};
use crate::stop::Stop;
use fathom_core::Nanos;
use fathom_core::recording::Moment;
use std::collections::BTreeSet;
use std::io;

/// A terminal that shows the devices.
pub(super) struct Screen {
    tty: Tty,
    canvas: Canvas,
    watched: Watched,
    /// What is shown while the display is held.
    held: Option<Watched>,
    stop: Stop,
}

impl Screen {
    /// Takes the terminal.
    pub(super) fn take(stop: Stop, seekers: BTreeSet<String>, interval: Nanos) -> io::Result<Self> {
        let tty = Tty::take()?;
        let canvas = Canvas::new(tty.size())?;
        let mut screen = Self {
            tty,
            canvas,
            watched: Watched::new(seekers, interval),
            held: None,
            stop,
        };
        screen.show();
        Ok(screen)
    }

    /// Takes in what happened, and shows it.
    pub(super) fn take_in(&mut self, moment: Moment) {
        self.watched.take_in(moment);
        self.show();
    }

    /// Hears keys.
    pub(super) fn turn(&mut self) {
        let keys = self.tty.keys();
        for key in &keys {
            self.press(*key);
        }
        if !keys.is_empty() || self.tty.size() != self.canvas.size() {
            self.show();
        }
    }

    fn press(&mut self, key: u8) {
        match Key::of(key) {
            Some(Key::Interrupt | Key::Quit) => self.stop.finish(),
            Some(Key::Hold) => {
                self.held = match self.held {
                    Some(_) => None,
                    None => Some(self.watched.paused()),
                };
            }
            Some(Key::Sort) => self.each(|watched| watched.sort = watched.sort.next()),
            Some(Key::Idle) => self.each(|watched| watched.has_idle = !watched.has_idle),
            Some(Key::Help) => self.each(|watched| watched.help = !watched.help),
            Some(Key::Close) => self.each(|watched| watched.help = false),
            None => {}
        }
    }

    fn each(&mut self, change: impl Fn(&mut Watched)) {
        change(&mut self.watched);
        if let Some(held) = &mut self.held {
            change(held);
        }
    }

    fn show(&mut self) {
        // A picture that cannot be drawn is no reason to stop watching.
        let _ = self.draw();
    }

    fn draw(&mut self) -> io::Result<()> {
        let size = self.tty.size();
        if size != self.canvas.size() {
            self.tty.clear();
            self.canvas = Canvas::new(size)?;
        }
        if size.0 > 0 && size.1 > 0 && self.tty.is_ready() {
            let shown = self.held.as_ref().unwrap_or(&self.watched);
            let picture = self.canvas.draw(|frame| view::draw(frame, shown))?;
            self.tty.show(&picture);
        }
        Ok(())
    }
}
