//! What a site puts into an image: a folder with some of these names, and where the system has
//! each.

/// One file of a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedFile {
    /// Its path in the folder; a name that ends with `/` is a folder, whose files are taken.
    pub name: &'static str,
    /// Where the system has it.
    pub path: &'static str,
    /// Its permissions there.
    pub mode: u32,
    /// One sentence for the help.
    pub about: &'static str,
}

/// Where the system has the job of its site.
pub const JOB: &str = "etc/fathom/fathom.toml";

/// All that an image takes.
pub const PLACES: [PlacedFile; 4] = [
    PlacedFile {
        name: "fathom.toml",
        path: JOB,
        mode: 0o600,
        about: "the job, if the kernel command line names none",
    },
    PlacedFile {
        name: "ssh/",
        path: "root/.ssh/",
        mode: 0o600,
        about: "keys, known_hosts and config of OpenSSH",
    },
    PlacedFile {
        name: "netrc",
        path: "root/.netrc",
        mode: 0o600,
        about: "passwords of the destinations of results",
    },
    PlacedFile {
        name: "ca-certificates.crt",
        path: "etc/ssl/certs/ca-certificates.crt",
        mode: 0o644,
        about: "CA certificates that replace the public ones",
    },
];

/// The place of a file by its path in the folder, and its path in the system.
pub fn place(name: &str) -> Option<(PlacedFile, String)> {
    PLACES.into_iter().find_map(|place| {
        if place.name == name && !name.ends_with('/') {
            return Some((place, place.path.to_owned()));
        }
        let below = place.name.ends_with('/').then_some(name)?;
        let file = below.strip_prefix(place.name)?;
        let is_plain = !file.is_empty() && !file.contains('/');
        is_plain.then(|| (place, format!("{}{file}", place.path)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_system_looks_for_has_a_place() {
        let path = |name: &str| place(name).map(|(place, path)| format!("{path} {:o}", place.mode));
        let cases = [
            ("fathom.toml", Some("etc/fathom/fathom.toml 600")),
            ("ssh/id_ed25519", Some("root/.ssh/id_ed25519 600")),
            ("netrc", Some("root/.netrc 600")),
            ("ssh/", None),
            ("ssh/a/b", None),
            ("id_ed25519", None),
            ("fathom.toml~", None),
        ];
        for (name, expected) in cases {
            assert_eq!(path(name).as_deref(), expected, "{name}");
        }
    }
}
