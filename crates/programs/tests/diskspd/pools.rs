//! Pools of threads with one queue each over all their targets.

use crate::lines::Lab;
use fathom_core::spec::{Job, TargetOrder};
use fathom_diskspd as diskspd;

/// The jobs of a profile with a pool of four threads over these targets.
fn jobs(targets: &[&str]) -> Vec<Job> {
    let targets = targets.iter().enumerate().map(|(index, elements)| {
        format!("<Target><Path>/data/{index}.dat</Path>{elements}</Target>")
    });
    let text = format!(
        "<Profile><TimeSpans><TimeSpan><ThreadCount>4</ThreadCount><RequestCount>6</RequestCount>\
         <Targets>{}</Targets></TimeSpan></TimeSpans></Profile>",
        targets.collect::<String>()
    );
    let profile = diskspd::read_profile(&text, "a.xml").expect("a profile");
    let translation = profile.translate(&Lab).expect("a workload");
    let phases = translation.workload.phases;
    phases.into_iter().flat_map(|phase| phase.jobs).collect()
}

fn told(job: &Job) -> (u32, Vec<&str>, Option<TargetOrder>, &[u32]) {
    let targets = job.targets.iter().map(|target| &target[6..7]);
    let order = job.compat().target_order;
    (
        job.threads,
        targets.collect(),
        order,
        &job.compat().target_weights,
    )
}

#[test]
fn each_request_is_drawn_a_target() {
    let drawn = Some(TargetOrder::Drawn);
    let weight = |weight: u32| format!("<Weight>{weight}</Weight>");
    let alike = jobs(&[&weight(5), &weight(5)]);
    let alike: Vec<_> = alike.iter().map(told).collect();
    assert_eq!(alike, [(4, vec!["0", "1"], drawn, &[][..])]);
    let shares = jobs(&[&weight(100), &weight(300)]);
    let shares: Vec<_> = shares.iter().map(told).collect();
    assert_eq!(shares, [(4, vec!["0", "1"], drawn, &[1, 3][..])]);
    let only = jobs(&[&weight(100)]);
    let only: Vec<_> = only.iter().map(told).collect();
    assert_eq!(only, [(4, vec!["0"], None, &[][..])]);
    // Some threads use a target more often, and the others do not use it.
    let chosen = "<Weight>100</Weight><ThreadTargets>\
                  <ThreadTarget><Thread>0</Thread><Weight>200</Weight></ThreadTarget>\
                  <ThreadTarget><Thread>2</Thread></ThreadTarget></ThreadTargets>";
    let groups = jobs(&[chosen, &weight(100)]);
    let groups: Vec<_> = groups.iter().map(told).collect();
    assert_eq!(
        groups,
        [
            (2, vec!["1"], None, &[][..]),
            (1, vec!["0", "1"], drawn, &[2, 1][..]),
            (1, vec!["0", "1"], drawn, &[][..]),
        ]
    );
}
