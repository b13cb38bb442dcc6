//! What goes to standard output.

use crate::error::Error;
use crate::exit::Exit;
use crate::{appearance, terminal};
use std::borrow::Cow;
use std::io::{IsTerminal as _, Write as _};

/// Prints what people read: in ASCII where the locale knows nothing else.
pub(crate) fn show_text(text: &str) -> Result<Exit, Error> {
    print(&for_people(text))
}

/// A text in the signs that the locale knows.
pub(crate) fn for_people(text: &str) -> Cow<'_, str> {
    if appearance::looks(terminal::raw_stdout().is_terminal()).ascii {
        return fathom_report::ascii(text).into();
    }
    text.into()
}

/// Writes to standard output, all at once.
pub(crate) fn print(text: &str) -> Result<Exit, Error> {
    let mut out = terminal::stdout();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Error::stdout(&error))?;
    Ok(Exit::Ok)
}
