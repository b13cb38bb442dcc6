//! The ways to a place, a file and a line here each.

mod folder;
mod ftp;
mod http;
mod shell;
mod smtp;
mod stick;

use std::time::Duration;

use url::Url;

use crate::{DestinationError, Failure, Message, Netrc};

/// How long to wait for an answer, before the place counts as not there.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// How a place is named, for help and documentation.
#[derive(Clone, Copy, Debug)]
pub struct Form {
    /// A URL of this form.
    pub example: &'static str,
    /// What happens there.
    pub about: &'static str,
}

/// One way.
pub(crate) struct Transport {
    /// The schemes of its URLs.
    schemes: &'static [&'static str],
    pub(crate) form: Form,
    /// Whether the URL has to name a host.
    pub(crate) needs_host: bool,
    /// What else a URL has to have, as it was read and as it was typed.
    pub(crate) check: fn(&Url, &str) -> Result<(), DestinationError>,
    /// Delivers, and tells where it is now.
    pub(crate) send: fn(&Url, &Message, &Netrc) -> Result<String, Failure>,
}

static TRANSPORTS: [Transport; 7] = [
    shell::SCP,
    shell::SFTP,
    ftp::FTP,
    http::HTTP,
    smtp::SMTP,
    folder::FOLDER,
    stick::STICK,
];

/// The transport of a scheme.
pub(crate) fn of_scheme(scheme: &str) -> Option<&'static Transport> {
    let mut all = TRANSPORTS.iter();
    all.find(|transport| transport.schemes.contains(&scheme))
}

/// All schemes, as a list in words.
pub(crate) fn schemes() -> String {
    let all = TRANSPORTS.iter().flat_map(|transport| transport.schemes);
    let mut words: Vec<String> = all.map(|scheme| format!("{scheme}:")).collect();
    let last = words.pop().unwrap_or_default();
    format!("{} or {last}", words.join(", "))
}

/// The forms of all URLs.
pub fn forms() -> impl Iterator<Item = Form> {
    TRANSPORTS.iter().map(|transport| transport.form)
}

/// For a URL that has all it needs when it has a host.
#[expect(clippy::unnecessary_wraps, reason = "other ways have more to ask")]
fn nothing_more(_: &Url, _: &str) -> Result<(), DestinationError> {
    Ok(())
}

/// The login for the host and user of a URL, if there is one.
fn login(url: &Url, netrc: &Netrc) -> Result<Option<crate::Login>, Failure> {
    let user = Some(url.username()).filter(|user| !user.is_empty());
    netrc.login(url.host_str().unwrap_or_default(), user)
}
