//! From a job to the command lines that do it.

use fathom_image::Job;
use fathom_tools::suite::SUITES;

/// Folder of what suites keep.
const RESULTS: &str = "/var/lib/fathom";

/// Whether a word names a suite.
pub(super) fn is_suite(name: &str) -> bool {
    SUITES.iter().any(|suite| suite.name == name)
}

/// The words of each command, without the name of the program.
pub(super) fn commands(job: &Job) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    for name in &job.run {
        if name == "quick" {
            // It measures one disk, so each has a run of its own.
            let each = job.targets.iter();
            commands.extend(each.map(|target| command(job, &["quick", target])));
            continue;
        }
        let into = format!("{RESULTS}/{name}");
        let mut words = if is_suite(name) {
            vec!["suite", name, "--into", &into]
        } else {
            vec!["run", name]
        };
        for target in &job.targets {
            words.extend(["--target", target]);
        }
        commands.push(command(job, &words));
    }
    commands
}

/// A command with what is the same for all of the job.
fn command(job: &Job, first: &[&str]) -> Vec<String> {
    let mut words: Vec<String> = first.iter().map(|&word| word.to_owned()).collect();
    for (option, values) in [("--destroy", &job.destroy), ("--deliver", &job.deliver)] {
        for value in values {
            words.extend([option.to_owned(), value.clone()]);
        }
    }
    words.push("--no-live".to_owned());
    words.extend(job.options.iter().cloned());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_job_has_its_command() {
        let line = "fathom.job=quick,pg-oltp,proliant-profiles fathom.target=serial:A,serial:B \
                    fathom.destroy=serial:A fathom.deliver=usb: fathom.options=\"--time 3s\"";
        let job = Job::of_command_line(line).unwrap().unwrap();
        let told: Vec<String> = commands(&job).iter().map(|words| words.join(" ")).collect();
        let end = "--destroy serial:A --deliver usb: --no-live --time 3s";
        let both = "--target serial:A --target serial:B";
        let expected = [
            format!("quick serial:A {end}"),
            format!("quick serial:B {end}"),
            format!("run pg-oltp {both} {end}"),
            format!(
                "suite proliant-profiles --into /var/lib/fathom/proliant-profiles {both} {end}"
            ),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn every_line_is_one_that_the_program_takes() {
        let line = "fathom.job=quick,pg-oltp,proliant-profiles fathom.target=serial:A \
                    fathom.destroy=serial:A=gpt+ext4 fathom.deliver=usb:";
        let job = Job::of_command_line(line).unwrap().unwrap();
        for words in commands(&job) {
            let words = std::iter::once("fathom".to_owned()).chain(words);
            assert!(crate::args::parse(words).is_ok());
        }
    }
}
