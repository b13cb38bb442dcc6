//! The live view on a terminal: owns the screen, reads the keys, and gives both back.

use super::app::App;
use super::view;
use crate::stop::Stop;
use fathom_load::observer::{Event, Observer};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use std::io::{self, Stderr, Write};
use std::time::Duration;

/// A terminal that shows the run. Standard output stays free for results.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Stderr>>,
    app: App,
    /// What is shown while the display is held.
    held: Option<App>,
    stop: Stop,
}

impl Screen {
    /// Takes the terminal behind standard error.
    pub(crate) fn take(app: App, stop: Stop) -> io::Result<Self> {
        enable_raw_mode()?;
        let entered = execute!(io::stderr(), EnterAlternateScreen, cursor::Hide);
        let terminal = entered.and_then(|()| Terminal::new(CrosstermBackend::new(io::stderr())));
        match terminal {
            Ok(terminal) => {
                restore_before_panics();
                Ok(Self {
                    terminal,
                    app,
                    held: None,
                    stop,
                })
            }
            Err(error) => {
                restore();
                Err(error)
            }
        }
    }

    fn read_keys(&mut self) {
        // A terminal that is gone sends no keys; the signal that went with it ends the run.
        while let Ok(true) = event::poll(Duration::ZERO) {
            if let Ok(event::Event::Key(key)) = event::read() {
                self.press(key);
            }
        }
    }

    fn press(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        match (key.code, key.modifiers) {
            (KeyCode::Char('c'), KeyModifiers::CONTROL) => {
                self.stop.interrupt();
                self.app.stopping = true;
            }
            (KeyCode::Char('q'), _) => {
                self.stop.finish();
                self.app.stopping = true;
            }
            (KeyCode::Char('p'), _) => {
                self.held = match self.held {
                    Some(_) => None,
                    None => Some(self.app.paused()),
                };
            }
            (KeyCode::Char('?'), _) => {
                self.app.help = !self.app.help;
                if let Some(held) = &mut self.held {
                    held.help = self.app.help;
                }
            }
            _ => {}
        }
    }
}

impl Observer for Screen {
    fn event(&mut self, event: &Event<'_>) {
        self.app.take(event);
        self.read_keys();
        self.app.stopping |= self.stop.is_asked();
        let shown = self.held.as_ref().unwrap_or(&self.app);
        // A terminal that cannot be drawn on is no reason to stop measuring.
        let _ = self.terminal.draw(|frame| view::draw(frame, shown));
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

/// Leaves the terminal as it was found. Harmless when done twice.
fn restore() {
    // There is nobody left to tell of a failure here.
    let _ = disable_raw_mode();
    let _ = execute!(io::stderr(), cursor::Show, LeaveAlternateScreen);
    let _ = io::stderr().flush();
}

/// The message of a panic would go to the screen that is about to vanish.
fn restore_before_panics() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        restore();
        print(info);
    }));
}
