//! Passwords, from the file in which ftp(1) and curl(1) look for them too: netrc(5).
//!
//! An own reader because the crates for it are not kept any more; the format is five words.

use fathom_platform::unix::fs::MetadataExt as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::Failure;

/// Who somebody is on one host.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// Name of the user.
    pub user: String,
    /// The secret of the entry.
    pub password: String,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Login({}, …)", self.user)
    }
}

/// The file with the logins.
#[derive(Clone, Debug, Default)]
pub struct Netrc {
    path: Option<PathBuf>,
}

/// One entry: a host or, for `default`, any.
#[derive(Debug, Default)]
struct Entry {
    host: Option<String>,
    user: Option<String>,
    password: Option<String>,
}

impl Netrc {
    /// This file, or none.
    pub fn new(path: Option<PathBuf>) -> Self {
        Self { path }
    }

    /// The file that `NETRC` names, else `.netrc` in the home folder.
    pub fn of_user() -> Self {
        let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let named = of("NETRC").map(PathBuf::from);
        Self::new(named.or_else(|| Some(PathBuf::from(of("HOME")?).join(".netrc"))))
    }

    /// Where the file is, for messages.
    pub(crate) fn name(&self) -> String {
        let path = self.path.as_deref();
        path.map_or_else(|| "~/.netrc".to_owned(), |path| path.display().to_string())
    }

    /// The login for a host, of a certain user if one is named; that of `default` only where
    /// anybody may be meant.
    ///
    /// # Errors
    ///
    /// A file that others can read, or that cannot be read.
    pub(crate) fn login(
        &self,
        host: &str,
        user: Option<&str>,
        is_anybody: bool,
    ) -> Result<Option<Login>, Failure> {
        let Some(path) = &self.path else {
            return Ok(None);
        };
        let mut file = match fathom_device::input::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unreadable(path, &error)),
        };
        // Of the file that is open, whatever its name leads to by now.
        let status = file.metadata().map_err(|error| unreadable(path, &error))?;
        let mut text = String::new();
        let read = file.read_to_string(&mut text);
        read.map_err(|error| unreadable(path, &error))?;
        let found = entries(&text).into_iter().find(|entry| {
            let is_host = match &entry.host {
                Some(one) => one.eq_ignore_ascii_case(host),
                None => is_anybody,
            };
            is_host && user.is_none_or(|user| entry.user.as_deref().is_none_or(|one| one == user))
        });
        let Some(Entry {
            user: owner,
            password: Some(password),
            ..
        }) = found
        else {
            return Ok(None);
        };
        let Some(user) = user.map(str::to_owned).or(owner) else {
            return Ok(None);
        };
        if status.mode() & 0o077 != 0 {
            let cause = format!("{} holds passwords, and others can read it", path.display());
            return Err(Failure::new(cause).remedy(format!("chmod 600 {}", path.display())));
        }
        Ok(Some(Login { user, password }))
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("cannot read {}: {error}", path.display()))
}

/// All entries. Words that are none of the format's are passed over, macros to their blank line.
fn entries(text: &str) -> Vec<Entry> {
    let mut found: Vec<Entry> = Vec::new();
    let mut is_macro = false;
    for line in text.lines() {
        if is_macro {
            is_macro = !line.trim().is_empty();
            continue;
        }
        // Within a line a `#` may begin a password.
        if line.trim_start().starts_with('#') {
            continue;
        }
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "default" => found.push(Entry::default()),
                "machine" => found.push(Entry {
                    host: words.next().map(str::to_owned),
                    ..Entry::default()
                }),
                "login" | "password" | "account" => {
                    let value = words.next().map(str::to_owned);
                    if let Some(entry) = found.last_mut() {
                        match word {
                            "login" => entry.user = value,
                            "password" => entry.password = value,
                            _ => {}
                        }
                    }
                }
                "macdef" => {
                    is_macro = true;
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests make files of their own")]
    use super::*;
    use fathom_platform::unix::fs::PermissionsExt as _;
    use std::fs;

    const TEXT: &str = "\
# who I am where
machine ftp.example login anna password secret
machine mail.example
    login bert
    password #hush
macdef init
machine not.one login x password y

machine ftp.example login carl password other
default login anonymous password me@here
";

    fn file(mode: u32) -> (tempfile::TempDir, Netrc) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("netrc");
        fs::write(&path, TEXT).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("mode set");
        (folder, Netrc::new(Some(path)))
    }

    fn login(netrc: &Netrc, host: &str, user: Option<&str>) -> Option<(String, String)> {
        let found = netrc.login(host, user, true).expect("readable");
        found.map(|login| (login.user, login.password))
    }

    #[test]
    fn the_first_entry_that_fits_is_taken() {
        let (_folder, netrc) = file(0o600);
        let cases: [(&str, Option<&str>, (&str, &str)); 6] = [
            ("ftp.example", None, ("anna", "secret")),
            ("ftp.example", Some("carl"), ("carl", "other")),
            ("Mail.example", None, ("bert", "#hush")),
            ("not.one", None, ("anonymous", "me@here")),
            ("other.example", None, ("anonymous", "me@here")),
            ("other.example", Some("anonymous"), ("anonymous", "me@here")),
        ];
        for (host, user, (name, password)) in cases {
            let expected = Some((name.to_owned(), password.to_owned()));
            assert_eq!(login(&netrc, host, user), expected, "{host} {user:?}");
        }
        assert_eq!(login(&netrc, "other.example", Some("dora")), None);
        let of_mail = netrc.login("other.example", None, false);
        assert_eq!(of_mail.expect("readable"), None);
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let (_folder, netrc) = file(0o640);
        let failure = netrc
            .login("ftp.example", None, false)
            .expect_err("refused");
        let name = netrc.name();
        assert_eq!(
            (failure.cause, failure.remedy),
            (
                format!("{name} holds passwords, and others can read it"),
                Some(format!("chmod 600 {name}"))
            )
        );
    }

    #[test]
    fn no_file_is_no_login() {
        let netrc = Netrc::new(Some("/nowhere/netrc".into()));
        assert_eq!(login(&netrc, "ftp.example", None), None);
        assert_eq!(login(&Netrc::default(), "ftp.example", None), None);
    }

    #[test]
    fn a_login_is_never_shown() {
        let login = Login {
            user: "anna".to_owned(),
            password: "secret".to_owned(),
        };
        assert_eq!(format!("{login:?}"), "Login(anna, …)");
    }
}
