//! The script that installs the program for one user. It has the sum of the program in itself, so
//! that whoever has the script needs to trust nothing else.

use std::path::Path;

use askama::Template;

use super::contents::COMPLETIONS;
use super::facts::Facts;

#[derive(Template)]
#[template(path = "install.sh", escape = "none")]
pub(super) struct Script<'a> {
    facts: &'a Facts,
    /// Shells, and the paths of their completions below a prefix.
    completions: [(&'static str, &'static Path); 3],
}

impl<'a> Script<'a> {
    pub(super) fn new(facts: &'a Facts) -> Self {
        let below = |path: &'static str| Path::new(path.strip_prefix("usr/").unwrap_or(path));
        Self {
            facts,
            completions: COMPLETIONS.map(|(shell, path)| (shell, below(path))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::contents;
    use crate::dist::recipes;
    use crate::dist::shelf::Shelf;
    use fathom_testing::skip;
    use sha2::{Digest as _, Sha256};
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::PathBuf;
    use std::process::Command;

    const ARCHITECTURE: &str = std::env::consts::ARCH;

    /// What the script calls of the program.
    const PROGRAM: &str = r#"#!/bin/sh
case "$*" in
--version) ;;
"generate man --overwrite "*) mkdir -p "$4" && echo page >"$4/fathom.1" ;;
"generate completions "*) echo "of $3" ;;
*) exit 9 ;;
esac
"#;

    /// A release in a folder, and a prefix beside it.
    struct Trial {
        place: tempfile::TempDir,
    }

    impl Trial {
        fn new(program: &str) -> Self {
            let place = tempfile::tempdir().unwrap();
            for folder in ["release", "tools", "temporary"] {
                fs::create_dir(place.path().join(folder)).unwrap();
            }
            let trial = Self { place };
            fs::write(trial.program(), program).unwrap();
            let shelf = Shelf {
                folder: &trial.path("release"),
                release: &contents::example().release,
                key: None,
            };
            assert_eq!(recipes::make(&shelf).unwrap(), ["install.sh"]);
            trial
        }

        fn path(&self, name: &str) -> PathBuf {
            self.place.path().join(name)
        }

        fn program(&self) -> PathBuf {
            self.path(&format!("release/fathom-1.2.3-{ARCHITECTURE}"))
        }

        /// Exit status, what was printed, and the files below the prefix.
        fn run(&self, words: &[&str]) -> (i32, String, Vec<String>) {
            let mut command = Command::new("sh");
            let path = format!("{}:/usr/bin:/bin", self.path("tools").display());
            command
                .arg("release/install.sh")
                .args(words)
                .current_dir(self.place.path())
                .env_clear()
                .envs([
                    ("PATH", path.as_str()),
                    ("HOME", "home"),
                    ("TMPDIR", "temporary"),
                ]);
            let output = command.output().unwrap();
            let text = [output.stdout, output.stderr].concat();
            let text = String::from_utf8(text).unwrap();
            assert_eq!(fs::read_dir(self.path("temporary")).unwrap().count(), 0);
            let mut files = Vec::new();
            list(&self.path("home"), &mut files);
            let whole = format!("{}/", self.place.path().display());
            let files = files.iter().map(|line| line.replace(&whole, ""));
            let mut files: Vec<String> = files.collect();
            files.sort();
            (output.status.code().unwrap(), text, files)
        }
    }

    /// Mode, path and first line of all files.
    fn list(folder: &Path, to: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                list(&path, to);
                continue;
            }
            let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            let text = fs::read_to_string(&path).unwrap();
            let line = text.lines().next().unwrap();
            to.push(format!("{} {mode:o} {line}", path.display()));
        }
    }

    const FROM: [&str; 2] = ["--from", "release"];

    #[test]
    fn program_pages_and_completions_lie_below_the_home() {
        let trial = Trial::new(PROGRAM);
        let expected = (
            0,
            "Fathom 1.2.3 is installed as home/.local/bin/fathom\n\
             home/.local/bin is not in PATH. Add it in the profile of your shell\n"
                .to_owned(),
            [
                "home/.local/bin/fathom 755 #!/bin/sh",
                "home/.local/share/bash-completion/completions/fathom 644 of bash",
                "home/.local/share/fish/vendor_completions.d/fathom.fish 644 of fish",
                "home/.local/share/man/man1/fathom.1 644 page",
                "home/.local/share/zsh/vendor-completions/_fathom 644 of zsh",
            ]
            .map(str::to_owned)
            .to_vec(),
        );
        assert_eq!(trial.run(&FROM), expected);
        // A second time it replaces its own.
        assert_eq!(trial.run(&FROM), expected);
    }

    /// Each ends with 1, one sentence and no file.
    #[test]
    fn nothing_is_installed_unless_all_is_right() {
        let refused = |trial: &Trial, words: &[&str], message: &str| {
            let expected = (1, format!("install.sh: {message}\n"), Vec::new());
            assert_eq!(trial.run(words), expected);
        };
        let trial = Trial::new(PROGRAM);
        refused(&trial, &["--from"], "--from needs a value");
        let message = "unknown option --force. Use --prefix FOLDER and --from URL";
        refused(&trial, &["--force", "yes"], message);
        let broken = Trial::new("#!/bin/sh\nexit 3\n");
        let message = "the program does not start here. Nothing was installed";
        refused(&broken, &FROM, message);

        fs::write(trial.path("tools/uname"), "#!/bin/sh\necho vax\n").unwrap();
        let all = fs::Permissions::from_mode(0o755);
        fs::set_permissions(trial.path("tools/uname"), all).unwrap();
        let message = "this release has no program for vax on vax";
        refused(&trial, &FROM, message);
        fs::remove_file(trial.path("tools/uname")).unwrap();

        let sums = [PROGRAM, "changed"].map(|text| format!("{:x}", Sha256::digest(text)));
        fs::write(trial.program(), "changed").unwrap();
        let message = format!(
            "fathom-1.2.3-{ARCHITECTURE} has the SHA-256 sum {} instead of {}. \
             Nothing was installed",
            sums[1], sums[0]
        );
        refused(&trial, &FROM, &message);
    }

    #[test]
    fn a_release_that_is_not_there_is_named() {
        let trial = Trial::new(PROGRAM);
        let (status, text, files) = trial.run(&["--from", "nowhere"]);
        let last = text.lines().last().unwrap();
        let expected = format!(
            "install.sh: cannot get nowhere/fathom-1.2.3-{ARCHITECTURE}. \
             Name another URL or folder with --from"
        );
        assert_eq!((status, last, files), (1, expected.as_str(), Vec::new()));
    }

    /// As `curl | sh` sees it if the connection breaks.
    #[test]
    fn a_script_that_is_cut_off_does_nothing() {
        let trial = Trial::new(PROGRAM);
        let script = trial.path("release/install.sh");
        let text = fs::read_to_string(&script).unwrap();
        let call = "main \"$@\"\n";
        fs::write(&script, text.strip_suffix(call).unwrap()).unwrap();
        assert_eq!(trial.run(&FROM), (0, String::new(), Vec::new()));
    }

    #[test]
    fn shellcheck_finds_nothing() {
        let trial = Trial::new(PROGRAM);
        let mut command = Command::new("shellcheck");
        match command.arg(trial.path("release/install.sh")).output() {
            Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout), ""),
            Err(_) => skip("shellcheck is not installed"),
        }
    }
}
