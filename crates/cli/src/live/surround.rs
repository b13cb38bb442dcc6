//! What all live views have around them: title, keys, help. One key means the same in each.

use ratatui::Frame;
use ratatui::layout::{Alignment, Rect};
use ratatui::style::Stylize as _;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Paragraph};

/// Narrower than this, keys stand without their words.
const WORDS: u16 = 56;
/// Columns of the help.
const HELP: u16 = 62;

/// A key of a live view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// End what is shown.
    Quit,
    /// End it at once.
    Interrupt,
    Hold,
    Help,
    /// Close what is open.
    Close,
    Sort,
    Idle,
}

impl Key {
    /// The key of a byte from the terminal, if it is one.
    pub(crate) const fn of(byte: u8) -> Option<Self> {
        Some(match byte {
            0x03 => Self::Interrupt,
            0x1b => Self::Close,
            b'q' => Self::Quit,
            b'p' => Self::Hold,
            b'?' => Self::Help,
            b's' => Self::Sort,
            b'z' => Self::Idle,
            _ => return None,
        })
    }

    const fn letter(self) -> &'static str {
        match self {
            Self::Quit => "q",
            Self::Interrupt => "Ctrl-C",
            Self::Hold => "p",
            Self::Help => "?",
            Self::Close => "Esc",
            Self::Sort => "s",
            Self::Idle => "z",
        }
    }
}

/// A key with what it does in a view: in a word, and in a sentence.
pub(crate) type KeyWords = (Key, &'static str, &'static str);

/// Keys that every view has, behind its own.
pub(crate) const EVERYWHERE: [KeyWords; 2] = [
    (Key::Hold, "pause", "pause the display, or resume"),
    (Key::Help, "help", "show or hide this help; Esc hides it"),
];

/// The frame of a view.
#[derive(Debug)]
pub(crate) struct Surround<'a> {
    pub(crate) title: String,
    pub(crate) right: &'a str,
    pub(crate) is_held: bool,
    pub(crate) has_help: bool,
    /// The view's own; those without a word are in the help alone.
    pub(crate) keys: &'a [KeyWords],
}

impl Surround<'_> {
    /// Draws the frame, and gives the place in it.
    pub(crate) fn draw(&self, frame: &mut Frame<'_>) -> Rect {
        let area = frame.area();
        let room = usize::from(area.width.saturating_sub(2));
        let right = format!(" {} ", self.right);
        let with_right = self.title.chars().count() + 3 + right.chars().count() <= room;
        let title = shortened(&self.title, room.saturating_sub(2));
        let mut block = Block::bordered()
            .title(Line::from(format!(" {title} ")).bold())
            .title_bottom(Line::from(self.key_line(area.width)).alignment(Alignment::Right));
        if with_right {
            block = block.title(Line::from(right).alignment(Alignment::Right));
        }
        let inner = block.inner(area);
        frame.render_widget(block, area);
        inner
    }

    fn key_line(&self, width: u16) -> String {
        if self.is_held {
            return " PAUSED · p resume ".to_owned();
        }
        let keys = self.keys.iter().chain(&EVERYWHERE);
        let keys = keys.filter(|(_, word, _)| !word.is_empty());
        let keys = keys.map(|(key, word, _)| match width {
            WORDS.. => format!("{} {word}", key.letter()),
            _ => key.letter().to_owned(),
        });
        format!(" {} ", keys.collect::<Vec<_>>().join(" · "))
    }

    /// Draws the help over the picture, where it is wanted.
    pub(crate) fn draw_help(&self, frame: &mut Frame<'_>, area: Rect) {
        if !self.has_help {
            return;
        }
        let keys: Vec<&KeyWords> = self.keys.iter().chain(&EVERYWHERE).collect();
        let lines: Vec<Line<'_>> = keys
            .iter()
            .map(|(key, _, words)| Line::from(format!(" {:<8}{words}", key.letter())))
            .collect();
        let width = HELP.min(area.width);
        let height = (keys.len() as u16 + 2).min(area.height);
        let place = Rect {
            x: area.x + (area.width - width) / 2,
            y: area.y + (area.height - height) / 2,
            width,
            height,
        };
        frame.render_widget(Clear, place);
        let help = Paragraph::new(lines).block(Block::bordered().title(" Keys "));
        frame.render_widget(help, place);
    }
}

/// A text in at most `columns` columns; where it is cut, it is marked.
pub(crate) fn shortened(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let kept: String = text.chars().take(columns.saturating_sub(1)).collect();
    if columns == 0 { kept } else { kept + "…" }
}
