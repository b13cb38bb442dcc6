//! Where a message goes: a URL that one of the transports understands.

use std::fmt;
use std::str::FromStr;

use url::Url;

use crate::failure::DestinationError;
use crate::transports::{self, Transport};
use crate::{Failure, Message, Netrc};

/// A place that results are delivered to. It holds no password, so it can be kept and printed.
#[derive(Clone)]
pub struct Destination {
    url: Url,
    transport: &'static Transport,
}

impl Destination {
    /// What will keep every message from arriving there, as far as this machine can tell; to be
    /// asked before what is to be delivered is made.
    ///
    /// # Errors
    ///
    /// A `file:` that is something else than a folder. One that is not there may still be mounted.
    pub fn look_ahead(&self) -> Result<(), Failure> {
        match self.url.to_file_path() {
            Ok(path) if self.url.scheme() == "file" && path.exists() && !path.is_dir() => {
                let cause = format!("{} is not a folder", path.display());
                Err(Failure::new(cause).remedy("the folder that it is to go into"))
            }
            _ => Ok(()),
        }
    }

    /// Delivers a message, and tells in a few words where it is now.
    ///
    /// # Errors
    ///
    /// [`Failure`], after some minutes without an answer at most; it may have arrived nevertheless
    /// if the answer of the other side was lost.
    pub fn send(&self, message: &Message, netrc: &Netrc) -> Result<String, Failure> {
        (self.transport.send)(&self.url, message, netrc)
    }
}

impl FromStr for Destination {
    type Err = DestinationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let examples = "one as ssh://host/folder/, https://host/folder/ or file:///folder";
        let url = Url::parse(text)
            .map_err(|error| DestinationError::new(format!("it is no URL: {error}"), examples))?;
        let Some(transport) = transports::of_scheme(url.scheme()) else {
            let cause = format!("nothing is delivered by `{}:`", url.scheme());
            return Err(DestinationError::new(cause, transports::schemes()));
        };
        // Said without the password: the message may end up in a log.
        if url.password().is_some() {
            let host = url.host_str().unwrap_or("HOST");
            let user = match url.username() {
                "" => "USER",
                user => user,
            };
            return Err(DestinationError::new(
                "a password on a command line is seen by everybody who lists processes",
                format!("add a line to ~/.netrc: machine {host} login {user} password …"),
            ));
        }
        let unused = [("?", url.query()), ("#", url.fragment())];
        let unused = unused
            .into_iter()
            .find(|(mark, part)| part.is_some() && (*mark == "#" || !transport.takes_query));
        if let Some((mark, _)) = unused {
            let cause = format!("what stands behind `{mark}` is no part of such a place");
            let remedy = format!("{}; a secret belongs into ~/.netrc", transport.form.example);
            return Err(DestinationError::new(cause, remedy));
        }
        if transport.needs_host && url.host_str().is_none_or(str::is_empty) {
            let cause = format!("`{}:` needs a host", url.scheme());
            return Err(DestinationError::new(cause, transport.form.example));
        }
        (transport.check)(&url, text)?;
        Ok(Self { url, transport })
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.url.as_str())
    }
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Destination({self})")
    }
}

impl PartialEq for Destination {
    fn eq(&self, other: &Self) -> bool {
        self.url == other.url
    }
}

impl Eq for Destination {}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is no place for results, and what is said of it.
    const REFUSED: &[(&str, &str)] = &[
        (
            "results",
            "it is no URL: relative URL without a base; try one as ssh://host/folder/, \
                 https://host/folder/ or file:///folder",
        ),
        (
            "s3://bucket/x",
            "nothing is delivered by `s3:`; try ssh:, sftp:, ftp:, ftps:, http:, https:, \
                 smtp:, smtps:, file: or usb:",
        ),
        (
            "ftp://anna:secret@ftp.example/in/",
            "a password on a command line is seen by everybody who lists processes; try add a line \
             to ~/.netrc: machine ftp.example login anna password …",
        ),
        (
            "ssh://-oProxyCommand=x/in/",
            "a host or user that starts with `-` or contains `=` is not passed to ssh; try \
             ssh://anna@lab.example/srv/results/",
        ),
        (
            "sftp://a;b@lab/in/",
            "a host or user that starts with `-` or contains `%` is not passed to ssh; try \
             ssh://anna@lab.example/srv/results/",
        ),
        (
            "https://collect.example/hook?key=hush",
            "what stands behind `?` is no part of such a place; try \
                 https://collect.example/results/; a secret belongs into ~/.netrc",
        ),
        (
            "file:///srv/run#3/",
            "what stands behind `#` is no part of such a place; try file:///srv/results/; a \
                 secret belongs into ~/.netrc",
        ),
        (
            "ssh:///in/",
            "`ssh:` needs a host; try ssh://anna@lab.example/srv/results/",
        ),
        (
            "ssh://lab/in;reboot",
            "a folder that contains `;` is not passed to ssh; try letters, digits and / . _ ~ + , \
             = @ : -",
        ),
        (
            "smtp://mail.example/",
            "the mail has no recipient; try smtps://mail.example/?to=storage@example.com",
        ),
        (
            "smtp://mail.example/?to=nobody",
            "`nobody` is not a mail address; try smtps://mail.example/?to=storage@example.com",
        ),
        (
            "smtp://mail.example/?to=a@b.example&cc=c@d.example",
            "`cc` is not a mail option; try to, from or tls",
        ),
        (
            "file:results",
            "the path must be absolute; try file:///srv/results/",
        ),
        (
            "file://host/results",
            "`host` is another machine; try ssh://host/folder/ or file:///srv/results/",
        ),
        (
            "usb:../etc",
            "`../etc` cannot mark a stick; try usb: or usb:lab",
        ),
    ];

    #[test]
    fn what_is_no_place_for_results_is_refused_with_what_would_be_one() {
        for (text, expected) in REFUSED {
            let error = text.parse::<Destination>().expect_err(text);
            assert_eq!(error.to_string(), *expected, "{text}");
        }
    }

    #[test]
    fn places_are_printed_as_they_were_named() {
        for text in [
            "ssh://anna@lab.example:2222/srv/results/",
            "sftp://lab/~/results",
            "ftps://ftp.example/in/",
            "https://collect.example/results/",
            "smtps://mail.example/?to=a@b.example",
            "file:///srv/results",
            "usb:lab",
            "usb:",
        ] {
            let place: Destination = text.parse().expect(text);
            assert_eq!(place.to_string(), text);
        }
    }
}
