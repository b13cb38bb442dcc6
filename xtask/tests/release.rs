//! A signed release in a folder, as apt and dnf see it: packages, key and systems are made here.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test makes files and starts programs, and ends with the first that fails"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use fathom_testing::skip;

const VERSION: &str = env!("CARGO_PKG_VERSION");
const KEY: &str = "release@example.org";

/// A release, and systems that know nothing but it.
struct Trial {
    place: tempfile::TempDir,
}

impl Trial {
    /// `None` where a program is missing.
    fn new(needed: &[&str]) -> Option<Self> {
        for name in needed {
            if Command::new(name).arg("--version").output().is_err() {
                skip(format!("{name} is not installed"));
                return None;
            }
        }
        let trial = Self {
            place: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(trial.folder()).unwrap();
        fs::write(trial.path("dist-files/fathom-0.0.1-vax"), "another").unwrap();
        let program = format!("dist-files/fathom-{VERSION}-{}", std::env::consts::ARCH);
        fs::write(trial.path(&program), "program").unwrap();
        let home = trial.path("gnupg");
        fs::create_dir(&home).unwrap();
        let how = "--batch --quiet --pinentry-mode loopback --passphrase= --quick-generate-key";
        let mut command = Command::new("gpg");
        command.args(how.split(' ')).args([KEY, "ed25519", "sign"]);
        trial.done(&mut command);
        Some(trial)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn folder(&self) -> PathBuf {
        self.path("dist-files")
    }

    /// Whether it ended well, and all that it printed.
    fn outcome(&self, command: &mut Command) -> (bool, String) {
        let downloads = format!("file://{}", self.folder().display());
        let output = command
            .env("GNUPGHOME", self.path("gnupg"))
            .env("CARGO_TARGET_DIR", self.place.path())
            .env("FATHOM_DOWNLOADS", downloads)
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        (
            output.status.success(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    }

    fn done(&self, command: &mut Command) -> String {
        let (is_done, text) = self.outcome(command);
        assert!(is_done, "{command:?}: {text}");
        text
    }

    fn dist(&self, forms: &[&str]) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        self.done(command.args(["dist", "--sign", KEY]).args(forms));
    }

    /// apt-get of a system without packages and with this source alone.
    fn apt_get(&self, words: &[&str]) -> (bool, String) {
        let mut command = Command::new("apt-get");
        let root = self.path("apt");
        command
            .arg("--option")
            .arg(format!("Dir={}", root.display()))
            .arg("--option")
            .arg(format!(
                "Dir::State::status={}",
                root.join("status").display()
            ))
            // The folder is open to us alone.
            .args(["--option", "APT::Sandbox::User=root"])
            .args(["--option", "APT::Architecture=amd64"])
            .args(words)
            .current_dir(&root);
        self.outcome(&mut command)
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        // Its agent has the folder open.
        let mut command = Command::new("gpgconf");
        let _ = self.outcome(command.args(["--kill", "all"]));
    }
}

fn change(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(file, bytes).unwrap();
}

#[test]
fn apt_installs_what_was_signed_and_nothing_else() {
    let Some(trial) = Trial::new(&["gpg", "apt-get", "apt-ftparchive", "dpkg-deb"]) else {
        return;
    };
    let control = format!(
        "Package: fathom\nVersion: {VERSION}\nArchitecture: amd64\nMaintainer: somebody\n\
         Description: test\n"
    );
    fs::create_dir_all(trial.path("deb/DEBIAN")).unwrap();
    fs::write(trial.path("deb/DEBIAN/control"), control).unwrap();
    let name = format!("fathom_{VERSION}_amd64.deb");
    let package = trial.folder().join(&name);
    let mut build = Command::new("dpkg-deb");
    build.args(["--root-owner-group", "--build"]);
    trial.done(build.arg(trial.path("deb")).arg(&package));
    trial.dist(&["apt", "recipes"]);
    let release = fs::read_to_string(trial.folder().join("Release")).unwrap();
    let date = release.lines().find_map(|line| line.strip_prefix("Date: "));
    let mut commit = Command::new("git");
    commit.args([
        "log",
        "-1",
        "--format=%cd",
        "--date=format-local:%a, %d %b %Y %T +0000",
    ]);
    let expected = trial.done(commit.env("TZ", "UTC"));
    assert_eq!(date, Some(expected.trim()));
    // What was made before is no part of it.
    let sums = || fs::read_to_string(trial.folder().join("SHA256SUMS")).unwrap();
    let first = sums();
    trial.dist(&["apt", "recipes"]);
    assert_eq!(sums(), first);

    for folder in [
        "etc/apt/preferences.d",
        "etc/apt/sources.list.d",
        "var/lib/apt/lists",
        "var/cache/apt/archives",
    ] {
        fs::create_dir_all(trial.path("apt").join(folder)).unwrap();
    }
    fs::write(trial.path("apt/status"), "").unwrap();
    let source = trial.path("apt/etc/apt/sources.list.d/fathom.sources");
    fs::copy(trial.folder().join("fathom.sources"), source).unwrap();
    let install = ["install", "--yes", "--simulate", "--quiet", "fathom"];
    let update = trial.apt_get(&["update"]);
    assert!(update.0, "{}", update.1);
    let (is_done, text) = trial.apt_get(&install);
    let last = text.lines().last().unwrap();
    assert_eq!(
        (is_done, last),
        (
            true,
            format!("Conf fathom ({VERSION} localhost [amd64])").as_str()
        )
    );
    assert!(trial.apt_get(&["download", "fathom"]).0);
    assert_eq!(
        fs::read(trial.path("apt").join(&name)).unwrap(),
        fs::read(&package).unwrap()
    );

    fs::remove_file(trial.path("apt").join(&name)).unwrap();
    change(&package);
    assert!(!trial.apt_get(&["download", "fathom"]).0);
    change(&trial.folder().join("InRelease"));
    fs::remove_dir_all(trial.path("apt/var/lib/apt/lists")).unwrap();
    fs::create_dir_all(trial.path("apt/var/lib/apt/lists")).unwrap();
    assert!(!trial.apt_get(&["update"]).0);
}

#[test]
fn dnf_installs_what_was_signed_and_nothing_else() {
    let Some(trial) = Trial::new(&["gpg", "rpmbuild", "createrepo_c", "dnf"]) else {
        return;
    };
    let specification = format!(
        "Name: fathom\nVersion: {VERSION}\nRelease: 1\nSummary: test\nLicense: MIT\n\
         BuildArch: noarch\n%description\ntest\n%files\n"
    );
    fs::write(trial.path("fathom.spec"), specification).unwrap();
    let mut build = Command::new("rpmbuild");
    build.args(["-bb", "--define"]);
    build.arg(format!("_topdir {}", trial.path("rpm").display()));
    trial.done(build.arg(trial.path("fathom.spec")));
    let name = format!("fathom-{VERSION}-1.noarch.rpm");
    let built = trial.path("rpm/RPMS/noarch").join(&name);
    fs::copy(built, trial.folder().join(name)).unwrap();
    trial.dist(&["dnf", "recipes"]);

    fs::create_dir(trial.path("repos")).unwrap();
    let source = trial.path("repos/fathom.repo");
    fs::copy(trial.folder().join("fathom.repo"), source).unwrap();
    let install = |system: &str| {
        let root = trial.path(system);
        let mut command = Command::new("dnf");
        command.args(["--assumeyes", "--releasever=1"]);
        for (option, below) in [
            ("--installroot", ""),
            ("--setopt=cachedir", "cache"),
            ("--setopt=persistdir", "state"),
            ("--setopt=logdir", "log"),
            ("--setopt=pluginpath", "plugins"),
        ] {
            fs::create_dir_all(root.join(below)).unwrap();
            command.arg(format!("{option}={}", root.join(below).display()));
        }
        let sources = trial.path("repos");
        command.arg(format!("--setopt=reposdir={}", sources.display()));
        let is_done = trial.outcome(command.args(["install", "fathom"])).0;
        let mut query = Command::new("rpm");
        query.arg("--root").arg(&root).arg("-qa");
        (is_done, trial.done(&mut query))
    };
    let installed = format!("fathom-{VERSION}-1.noarch\n");
    assert_eq!(install("first"), (true, installed));
    change(&trial.folder().join("repodata/repomd.xml"));
    assert_eq!(install("second"), (false, String::new()));
}
