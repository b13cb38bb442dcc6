//! The commands around fio's jobs.

use super::run;
use fathom_tools::{JobCommands, ShellCommand};

/// Each clone has those of its section, and none that are asked to run beside it are threads of one
/// job: one whose command fails is left out alone.
#[test]
fn commands_belong_to_clones() {
    let text = "[global]\nioengine=null\nsize=64k\nnumjobs=2\ngroup_reporting\n[a]\n\
                filename=/data/f\nexec_prerun=one ; no more\nexec_postrun=two\n[b]\nstonewall\n\
                filename=/data/f\nexec_postrun=three\n[c]\n";
    let run = run(&[], &[("a.fio", text)]).expect("a job file");
    let command = |option, text: &str, file: &str| {
        Some(ShellCommand {
            option,
            text: text.to_owned(),
            file: file.to_owned(),
        })
    };
    let clone = |number| JobCommands {
        phase: "a".to_owned(),
        jobs: vec![format!("a.{number}")],
        clones: 1,
        before: command("exec_prerun", "one", "a.prerun.txt"),
        after: command("exec_postrun", "two", "a.postrun.txt"),
        beside: None,
    };
    let both = JobCommands {
        phase: "b and 1 more".to_owned(),
        jobs: vec!["b".to_owned()],
        clones: 2,
        before: None,
        after: command("exec_postrun", "three", "b.postrun.txt"),
        beside: None,
    };
    let expected = [clone(0), clone(1), both];
    assert_eq!(run.translation.wishes.commands, expected);
    // Another form names them, and fio's own has them again.
    let lost = |form: &str| {
        let writer = fathom_tools::writer(form).expect("a form");
        let (workload, wishes) = (&run.translation.workload, &run.translation.wishes);
        let written = (writer.write)(workload, wishes).expect("it can be said");
        let notes = written.notes.iter().map(ToString::to_string);
        let notes = notes.filter(|note| note.contains("exec_"));
        (notes.collect::<Vec<_>>(), written.text)
    };
    let named = |option, command, jobs| {
        format!(
            "approximated: `{option}`: no command is run; to be run beside it: {command} (job \
             {jobs})"
        )
    };
    let expected = [
        named("exec_prerun", "one", "`a.0`, `a.1`"),
        named("exec_postrun", "two", "`a.0`, `a.1`"),
        named("exec_postrun", "three", "`b`"),
    ];
    assert_eq!(lost("native").0, expected);
    let (notes, text) = lost("fio");
    let commands = text.lines().filter(|line| line.starts_with("exec_"));
    let expected = [
        "exec_prerun=one",
        "exec_postrun=two",
        "exec_prerun=one",
        "exec_postrun=two",
        "exec_postrun=three",
    ];
    assert_eq!(
        (notes.len(), commands.collect::<Vec<_>>()),
        (0, expected.to_vec())
    );
}
