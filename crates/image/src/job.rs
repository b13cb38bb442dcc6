//! What a machine is to do that was started from an image.
//!
//! The same keys stand on the command line of the kernel (`fathom.job=quick`) and in a file
//! `fathom.toml`. Targets are whole disks by their serial numbers, since names as `/dev/sdb` change
//! from one start to the next, and what is destroyed is named once more.

use serde::Deserialize;

/// What the keys on the command line of a kernel begin with.
pub const PREFIX: &str = "fathom.";

/// A file of this name holds a job: in the image, or at the top of a stick.
pub const FILE_NAME: &str = "fathom.toml";

/// What the name of a disk begins with.
const SERIAL: &str = "serial:";

/// The options of the program that name disks, folders on them, and places for results.
const OF_PLACES: [&str; 4] = ["--target", "--destroy", "--deliver", "--map-drive"];

/// What comes after a job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Then {
    /// The menu on the console.
    #[default]
    Menu,
    /// A shell on the console.
    Shell,
    /// The machine is switched off.
    Poweroff,
    /// It starts again.
    Reboot,
}

impl Then {
    /// All of them, by their words.
    const WORDS: [(&'static str, Self); 4] = [
        ("menu", Self::Menu),
        ("shell", Self::Shell),
        ("poweroff", Self::Poweroff),
        ("reboot", Self::Reboot),
    ];
}

/// What a live image runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// A profile, a suite, or `quick`; several run one after another.
    pub run: Vec<String>,
    /// `serial:NUMBER`, or `ROLE=serial:NUMBER`.
    pub targets: Vec<String>,
    /// `serial:NUMBER`, or `serial:NUMBER=SIGNATURE`.
    pub destroy: Vec<String>,
    /// URLs that the results go to.
    pub deliver: Vec<String>,
    /// More options of the command that runs.
    pub options: Vec<String>,
    /// What comes after it.
    pub then: Then,
}

/// An invalid job.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JobError {
    /// A key that there is none of.
    #[error("`{0}` is no word of a job: job, target, destroy, deliver, options and then are")]
    Key(String),
    /// The file is no TOML, or has other keys.
    #[error("{0}")]
    Text(String),
    /// Something is to be done after the job that nobody knows.
    #[error("`then` is menu, shell, poweroff or reboot, and not `{0}`")]
    Then(String),
    /// Nothing to run, but something else is said.
    #[error("no `job` is named: a profile, a suite or quick")]
    NoJob,
    /// Nowhere to run it.
    #[error("the job {0} has no `target`, as serial:S3EV0001; nothing was changed")]
    NoTarget(String),
    /// A target that is not named by its serial number.
    #[error("the target `{0}` is not named by its serial number, as serial:S3EV0001")]
    NoSerial(String),
    /// Results that nobody would ever see.
    #[error(
        "after the job the machine is switched off or started again, and no `deliver` says where \
         its results go; they would be lost"
    )]
    NowhereTo,
    /// A name that the program would take for an option.
    #[error("`{0}` is no profile and no suite")]
    Name(String),
    /// An option with which a disk could be named otherwise than by its serial number.
    #[error("`{0}` is no option of a job: target, destroy and deliver are words of their own")]
    Option(String),
    /// Something is given up that is not measured.
    #[error("`destroy` gives up `{0}`, which is no target of the job")]
    NotTarget(String),
}

/// One word or a list of them.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    job: Option<OneOrMany>,
    target: Option<OneOrMany>,
    destroy: Option<OneOrMany>,
    deliver: Option<OneOrMany>,
    options: Option<OneOrMany>,
    #[serde(default)]
    then: Then,
}

impl Job {
    /// The job of a kernel's command line; none where it names none.
    ///
    /// Lists are separated by commas, but of `deliver`, which is repeated: a URL may have some.
    ///
    /// # Errors
    ///
    /// [`JobError`] of an invalid job.
    pub fn of_command_line(line: &str) -> Result<Option<Self>, JobError> {
        let mut job = Self::default();
        let mut is_given = false;
        let words = words(line);
        let ours = words.iter().filter_map(|word| word.strip_prefix(PREFIX));
        for word in ours {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let list = || value.split(',').map(str::to_owned);
            is_given = true;
            match key {
                "job" => job.run.extend(list()),
                "target" => job.targets.extend(list()),
                "destroy" => job.destroy.extend(list()),
                "deliver" => job.deliver.push(value.to_owned()),
                "options" => {
                    let words = value.split_whitespace();
                    job.options.extend(words.map(str::to_owned));
                }
                "then" => {
                    let known = Then::WORDS.into_iter().find(|(word, _)| *word == value);
                    let known = known.ok_or_else(|| JobError::Then(value.to_owned()))?;
                    job.then = known.1;
                }
                _ => return Err(JobError::Key(format!("{PREFIX}{key}"))),
            }
        }
        if is_given {
            job.check()?;
        }
        Ok(is_given.then_some(job))
    }

    /// The job of a file.
    ///
    /// # Errors
    ///
    /// [`JobError`] of an invalid job.
    pub fn of_text(text: &str) -> Result<Self, JobError> {
        let text: Text = toml::from_str(text).map_err(|error| {
            let words = error.to_string();
            JobError::Text(words.trim_end().to_owned())
        })?;
        let list = |words: Option<OneOrMany>| match words {
            None => Vec::new(),
            Some(OneOrMany::One(word)) => vec![word],
            Some(OneOrMany::Many(words)) => words,
        };
        let job = Self {
            run: list(text.job),
            targets: list(text.target),
            destroy: list(text.destroy),
            deliver: list(text.deliver),
            options: list(text.options),
            then: text.then,
        };
        job.check()?;
        Ok(job)
    }

    /// Whether it is valid: checked before any disk is examined.
    ///
    /// # Errors
    ///
    /// [`JobError`] of the first that cannot.
    pub fn check(&self) -> Result<(), JobError> {
        let Some(first) = self.run.first() else {
            return Err(JobError::NoJob);
        };
        if let Some(option) = self.run.iter().find(|name| name.starts_with('-')) {
            return Err(JobError::Name(option.clone()));
        }
        if self.targets.is_empty() {
            return Err(JobError::NoTarget(first.clone()));
        }
        if let Some(option) = self.options.iter().find(|option| names_place(option)) {
            return Err(JobError::Option(option.clone()));
        }
        for target in &self.targets {
            if serial(target).is_none() {
                return Err(JobError::NoSerial(target.clone()));
            }
        }
        if matches!(self.then, Then::Poweroff | Then::Reboot) && self.deliver.is_empty() {
            return Err(JobError::NowhereTo);
        }
        for given_up in &self.destroy {
            let Some(named) = given_up.strip_prefix(SERIAL) else {
                return Err(JobError::NoSerial(given_up.clone()));
            };
            let disk = named.split_once('=').map_or(named, |(disk, _)| disk);
            if !self
                .targets
                .iter()
                .any(|target| serial(target) == Some(disk))
            {
                return Err(JobError::NotTarget(given_up.clone()));
            }
        }
        Ok(())
    }
}

/// The serial number of a target, which may be for one role only.
fn serial(target: &str) -> Option<&str> {
    let disk = match target.split_once('=') {
        Some((_, disk)) => disk,
        None => target,
    };
    disk.strip_prefix(SERIAL)
        .filter(|number| !number.is_empty())
}

/// Whether an option says where to, which a job says by its own words alone.
fn names_place(option: &str) -> bool {
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    OF_PLACES.contains(&name)
}

/// The words of a kernel's command line: quotation marks keep blanks, and are anywhere in a word.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.trim().chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            blank if blank.is_whitespace() && !is_quoted => words.push(String::new()),
            other => {
                if let Some(word) = words.last_mut() {
                    word.push(other);
                }
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    fn expected() -> Job {
        Job {
            run: list(&["quick", "proliant-profiles"]),
            targets: list(&["serial:S1", "log=serial:S2"]),
            destroy: list(&["serial:S1", "serial:S2=gpt+ext4"]),
            deliver: list(&["smtp://mail/?to=a@b,c", "usb:"]),
            options: list(&["--time", "3s"]),
            then: Then::Poweroff,
        }
    }

    #[test]
    fn a_command_line_and_a_file_say_the_same() {
        let line = "BOOT_IMAGE=/vmlinuz console=ttyS0 quiet fathom.job=quick,proliant-profiles \
                    fathom.target=serial:S1,log=serial:S2 fathom.destroy=serial:S1 \
                    fathom.destroy=serial:S2=gpt+ext4 fathom.deliver=smtp://mail/?to=a@b,c \
                    fathom.deliver=usb: fathom.options=\"--time 3s\" fathom.then=poweroff\n";
        assert_eq!(Job::of_command_line(line), Ok(Some(expected())));
        let text = "job = [\"quick\", \"proliant-profiles\"]\n\
                    target = [\"serial:S1\", \"log=serial:S2\"]\n\
                    destroy = [\"serial:S1\", \"serial:S2=gpt+ext4\"]\n\
                    deliver = [\"smtp://mail/?to=a@b,c\", \"usb:\"]\n\
                    options = [\"--time\", \"3s\"]\nthen = \"poweroff\"\n";
        assert_eq!(Job::of_text(text), Ok(expected()));
    }

    #[test]
    fn without_a_job_there_is_none() {
        assert_eq!(Job::of_command_line("console=ttyS0 quiet"), Ok(None));
        assert_eq!(Job::of_command_line(""), Ok(None));
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let cases = [
            (
                "fathom.jobs=quick",
                "`fathom.jobs` is no word of a job: job, target, destroy, deliver, options and \
                 then are",
            ),
            (
                "fathom.target=serial:S1",
                "no `job` is named: a profile, a suite or quick",
            ),
            (
                "fathom.job=quick",
                "the job quick has no `target`, as serial:S3EV0001; nothing was changed",
            ),
            (
                "fathom.job=quick fathom.target=/dev/sda",
                "the target `/dev/sda` is not named by its serial number, as serial:S3EV0001",
            ),
            (
                "fathom.job=quick fathom.target=serial:",
                "the target `serial:` is not named by its serial number, as serial:S3EV0001",
            ),
            (
                "fathom.job=quick fathom.target=serial:S1 fathom.destroy=serial:S2",
                "`destroy` gives up `serial:S2`, which is no target of the job",
            ),
            (
                "fathom.job=quick fathom.target=serial:S1 fathom.destroy=/dev/sda",
                "the target `/dev/sda` is not named by its serial number, as serial:S3EV0001",
            ),
            (
                "fathom.job=quick fathom.target=serial:S1 fathom.then=reboot",
                "after the job the machine is switched off or started again, and no `deliver` \
                 says where its results go; they would be lost",
            ),
            (
                "fathom.job=--help fathom.target=serial:S1",
                "`--help` is no profile and no suite",
            ),
            (
                "fathom.job=quick fathom.target=serial:S1 \
                 fathom.options=\"--time 3 --destroy=/dev/sda\"",
                "`--destroy=/dev/sda` is no option of a job: target, destroy and deliver are \
                 words of their own",
            ),
            (
                "fathom.job=a fathom.target=serial:S1 fathom.options=\"--target /dev/sda\"",
                "`--target` is no option of a job: target, destroy and deliver are words of their \
                 own",
            ),
            (
                "fathom.job=quick fathom.target=serial:S1 fathom.then=off",
                "`then` is menu, shell, poweroff or reboot, and not `off`",
            ),
        ];
        for (line, expected) in cases {
            let said = Job::of_command_line(line).map_err(|error| error.to_string());
            assert_eq!(said, Err(expected.to_owned()), "{line}");
        }
    }

    #[test]
    fn a_file_with_a_key_too_many_is_refused() {
        let said = Job::of_text("job = \"quick\"\ndevice = \"/dev/sda\"\n");
        let expected = "TOML parse error at line 2, column 1\n  |\n2 | device = \"/dev/sda\"\n  | \
                        ^^^^^^\nunknown field `device`, expected one of `job`, `target`, \
                        `destroy`, `deliver`, `options`, `then`";
        assert_eq!(said, Err(JobError::Text(expected.to_owned())));
    }
}
