//! `fathom catalog`.

use crate::command::Cli;

#[test]
fn the_history_of_a_type_is_shown_with_its_sources() {
    let shown = Cli::line("catalog gp2 --region eu-west-1 --as-of 2018-11-01");
    assert_eq!(shown.stdout(), include_str!("catalog/gp2.txt"));
}

#[test]
fn what_is_not_known_is_answered_with_what_is_near() {
    let cases: [(&[&str], &str); 7] = [
        (
            &["pg3"],
            "error: there is no volume type `pg3`\n  try:     gp3\n",
        ),
        (
            &["r5d.xlrage"],
            "error: there is no instance type `r5d.xlrage`\n  try:     r5d.xlarge\n",
        ),
        (
            &["aqs", "gp3"],
            "error: `aqs` is not a cloud\n  \
             try:     aws, azure, gcp, rds, oci, alibaba, own, local\n",
        ),
        (
            &["azure", "gp3"],
            "error: gp3 is not of azure\n  try:     `fathom catalog gp3`\n",
        ),
        (
            &["--instances"],
            "error: --instances has nothing to change\n  because: it lists those of one cloud\n  \
             try:     `fathom catalog aws --instances`\n",
        ),
        (
            &["premium-ssd-v2", "--region", "mars"],
            "error: no price of premium-ssd-v2 is known in mars\n  try:     belgiumcentral, \
             eastus, francecentral, northeurope, \
             swedencentral, ukwest, westeurope\n",
        ),
        (
            &["gp2", "--catalog", "nowhere"],
            "error: cannot read the catalogue nowhere\n  because: it contains no file of a \
             catalogue\n  try:     use a folder with aws/volumes.csv, azure/prices.csv or another \
             of them\n",
        ),
    ];
    for (words, stderr) in cases {
        let words = std::iter::once("catalog").chain(words.iter().copied());
        Cli::new(words).check(2, "", stderr);
    }
}
