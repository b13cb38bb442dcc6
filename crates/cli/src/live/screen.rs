//! The live view on a terminal: turns events into pictures and keys into wishes.

use super::Tty;
use super::app::App;
use super::canvas::Canvas;
use super::surround::Key;
use super::view;
use crate::stop::Stop;
use fathom_session::{Event, Observer};
use std::io;

/// A terminal that shows the run. Standard output stays free for results.
pub(crate) struct Screen {
    tty: Tty,
    canvas: Canvas,
    app: App,
    /// What is shown while the display is held.
    held: Option<App>,
    stop: Stop,
}

impl Screen {
    /// Takes the terminal.
    pub(crate) fn take(app: App, stop: Stop) -> io::Result<Self> {
        let tty = Tty::take()?;
        let canvas = Canvas::new(tty.size())?;
        Ok(Self {
            tty,
            canvas,
            app,
            held: None,
            stop,
        })
    }

    fn press(&mut self, key: u8) {
        match Key::of(key) {
            Some(Key::Interrupt) => self.stop.interrupt(),
            Some(Key::Quit) => self.stop.finish(),
            Some(Key::Hold) => {
                self.held = match self.held {
                    Some(_) => None,
                    None => Some(self.app.paused()),
                };
            }
            Some(Key::Help) => self.help(!self.app.help),
            Some(Key::Close) => self.help(false),
            Some(Key::Sort | Key::Idle) | None => {}
        }
    }

    fn help(&mut self, is_shown: bool) {
        self.app.help = is_shown;
        if let Some(held) = &mut self.held {
            held.help = is_shown;
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let size = self.tty.size();
        if size != self.canvas.size() {
            self.tty.clear();
            self.canvas = Canvas::new(size)?;
        }
        if size.0 == 0 || size.1 == 0 {
            return Ok(());
        }
        // A terminal that is slower than we draw misses pictures, not parts of them.
        if self.tty.is_ready() {
            let shown = self.held.as_ref().unwrap_or(&self.app);
            let picture = self.canvas.draw(|frame| view::draw(frame, shown))?;
            self.tty.show(&picture);
        }
        Ok(())
    }
}

impl Observer for Screen {
    fn event(&mut self, event: &Event<'_>) {
        self.app.take(event);
        for key in self.tty.keys() {
            self.press(key);
        }
        self.app.stopping |= self.stop.is_asked();
        // A picture that cannot be drawn is no reason to stop measuring.
        let _ = self.draw();
    }
}
