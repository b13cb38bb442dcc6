//! The ways to a place, a file and a line here each.

mod folder;
mod ftp;
mod http;
mod shell;
mod smtp;
mod stick;

pub use stick::is_mark as is_stick_mark;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use percent_encoding::percent_decode_str;
use url::Url;

use crate::{DestinationError, Failure, Message, Netrc};

/// How a place is named, for help and documentation.
#[derive(Clone, Copy, Debug)]
pub struct AddressForm {
    /// A URL of this form.
    pub example: &'static str,
    /// What happens there.
    pub about: &'static str,
}

/// One way.
pub(crate) struct Transport {
    /// The schemes of its URLs.
    schemes: &'static [&'static str],
    pub(crate) form: AddressForm,
    /// Whether the URL has to name a host.
    pub(crate) needs_host: bool,
    /// Whether what stands behind a `?` means something.
    pub(crate) takes_query: bool,
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
pub fn forms() -> impl Iterator<Item = AddressForm> {
    TRANSPORTS.iter().map(|transport| transport.form)
}

/// For a URL that has all it needs when it has a host.
#[expect(clippy::unnecessary_wraps, reason = "other transports have no login")]
fn nothing_more(_: &Url, _: &str) -> Result<(), DestinationError> {
    Ok(())
}

/// The name of a file of which only a part is there: of this delivery alone, so that two that go on
/// at once do not write into one.
fn draft_of(name: &str) -> String {
    // What the maps of this process are keyed by is as random as the system has it.
    let random = RandomState::new().build_hasher().finish();
    format!(".{name}.{random:016x}.part")
}

/// A part of a URL without its `%2F`.
fn decoded(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

/// The login for the host and user of a URL, if there is one.
fn login(url: &Url, netrc: &Netrc) -> Result<Option<crate::Login>, Failure> {
    let user = decoded(url.username());
    let host = url.host_str().unwrap_or_default();
    let user = Some(user.as_str()).filter(|user| !user.is_empty());
    // Anybody's entry is for those whom one does not know: a server of files.
    let found = netrc.login(host, user, url.scheme() == "ftp")?;
    match (found, user) {
        (None, Some(user)) => {
            let cause = format!("no password of {user} for {host}");
            let remedy = format!("add a line to ~/.netrc: machine {host} login {user} password …");
            Err(Failure::new(cause).remedy(remedy))
        }
        (found, _) => Ok(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_path_are_decoded() {
        for (step, expected) in [
            ("in", "in"),
            ("%2Fsrv", "/srv"),
            ("a%20b%", "a b%"),
            ("%zz", "%zz"),
        ] {
            assert_eq!(decoded(step), expected);
        }
    }
}
