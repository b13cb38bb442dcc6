//! What reports of fio's jobs are asked to hold.

use super::*;

const TWO: &str = "[global]\nioengine=null\nsize=64k\ngroup_reporting\n[a]\n";

/// fio refuses it, too: there is one set of percentiles for a group.
#[test]
fn who_reports_together_tells_percentiles_of_the_same_time() {
    let of = |rest: &str| {
        let found = run(&[], &[("a.fio", &format!("{TWO}{rest}"))]).map(|_| ());
        found.map_err(|errors| first_line(&errors))
    };
    let wrong = "error: jobs that report together tell percentiles of different times".to_owned();
    assert_eq!(of("[b]\nlat_percentiles=1\n"), Err(wrong.clone()));
    assert_eq!(of("lat_percentiles=1\n[b]\n"), Err(wrong));
    assert_eq!(of("lat_percentiles=1\n[b]\nlat_percentiles=1\n"), Ok(()));
    assert_eq!(of("[b]\nlat_percentiles=1\nnew_group\n"), Ok(()));
    assert_eq!(of("[b]\nlat_percentiles=1\ngroup_reporting=0\n"), Ok(()));
}
