//! Pictures for a terminal, drawn without asking it anything.

use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Draws pictures as the bytes that change the last one into the next.
pub(crate) struct Canvas {
    size: (u16, u16),
    terminal: Terminal<CrosstermBackend<Ink>>,
    ink: Ink,
}

impl Canvas {
    /// An empty picture of `size` columns and rows.
    pub(crate) fn new(size: (u16, u16)) -> io::Result<Self> {
        let ink = Ink::default();
        let area = Rect::new(0, 0, size.0, size.1);
        // Of a fixed size, since otherwise the library asks the terminal, and waits for it.
        let options = TerminalOptions {
            viewport: Viewport::Fixed(area),
        };
        let backend = CrosstermBackend::new(ink.clone());
        Ok(Self {
            size,
            terminal: Terminal::with_options(backend, options)?,
            ink,
        })
    }

    /// Columns and rows.
    pub(crate) const fn size(&self) -> (u16, u16) {
        self.size
    }

    /// The bytes that turn the last picture into the one that `picture` draws.
    pub(crate) fn draw(&mut self, picture: impl FnOnce(&mut Frame<'_>)) -> io::Result<Vec<u8>> {
        self.terminal.draw(picture)?;
        Ok(self.ink.0.take())
    }
}

/// Bytes on their way to the terminal; clones share them.
#[derive(Clone, Default)]
struct Ink(Rc<RefCell<Vec<u8>>>);

impl Write for Ink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
