//! What can be written for a volume, and what is said of what cannot.

use fathom_volume::Layout;

#[test]
fn what_is_written_is_printed_the_same() {
    let cases = [
        ("gp2:250GiB", "gp2:250GiB"),
        ("4x gp2:250GiB", "4x gp2:250GiB"),
        ("4 x gp2 : 250 GiB", "4x gp2:250GiB"),
        ("4*gp2:250GiB", "4x gp2:250GiB"),
        ("P30", "P30"),
        ("io1:200GB:10000iops", "io1:200GB:10000iops"),
        ("io1:200GB:10k IOPS", "io1:200GB:10000iops"),
        ("gp3:1TiB:16000iops:1000MB/s", "gp3:1TiB:16000iops:1000MB/s"),
        ("gp2:100GiB + gp3:1TiB", "gp2:100GiB + gp3:1TiB"),
        ("2x gp2:1GiB+3x gp2:1GiB", "5x gp2:1GiB"),
        ("raid0(2x P30, chunk=64KiB)", "raid0(2x P30, chunk=64KiB)"),
        (
            "raid10(8x local-ssd:480GB:90000iops:500MB/s)",
            "raid10(8x local-ssd:480GB:90000iops:500MB/s)",
        ),
        ("2x raid5(3x P30)", "2x raid5(3x P30)"),
        ("P40:ondemand", "P40:ondemand"),
        ("gp2:100GiB:credit=50%", "gp2:100GiB:credit=50%"),
    ];
    for (text, expected) in cases {
        let layout: Layout = text.parse().expect(text);
        assert_eq!(layout.to_string(), expected);
        assert_eq!(expected.parse(), Ok(layout), "{expected}");
    }
}

#[test]
fn what_cannot_be_meant_is_told_with_its_place() {
    let cases = [
        (
            "",
            "",
            "a volume type is missing",
            "as in gp2:250GiB, or 4x gp2:250GiB",
        ),
        ("0x gp2:1GiB", "0", "no volume at all", "1 or more"),
        ("gp2:250", "250", "`250` needs a unit", ""),
        (
            "gp2:1GiB:2GiB",
            "2GiB",
            "the size of gp2 is given twice",
            "",
        ),
        (
            "raid7(2x P30)",
            "raid7",
            "`raid7` is not a RAID level",
            "raid0",
        ),
        (
            "raid5(2x P30)",
            "raid5",
            "raid5 needs 3 members, and has 2",
            "",
        ),
        (
            "raid10(5x P30)",
            "raid10",
            "raid10 needs pairs, and has 5 members",
            "",
        ),
        ("raid0(2x P30", "raid0(2x P30", "a `)` is missing", ""),
        (
            "raid0(2x P30, chunk=3)",
            "chunk=3",
            "a chunk cannot be 3B",
            "a power of two, as 64KiB",
        ),
        (
            "gp2:1GiB)",
            ")",
            "`)` is left over",
            "`+` between volumes, `:` between the parts of one",
        ),
        (
            "gp2 250GiB",
            "gp2 250GiB",
            "`gp2 250GiB` is not a volume type",
            "`:` between the parts of a volume, as in gp3:1TiB:16000iops",
        ),
        (
            "gp2:1GiB:credit=150%",
            "credit=150%",
            "`credit=150%` is not a share",
            "credit=0% to credit=100%",
        ),
        ("2000x P30", "2000", "more than 1000 members", ""),
    ];
    for (text, part, message, remedy) in cases {
        let error = text.parse::<Layout>().expect_err(text);
        assert_eq!(error.message, message, "{text}");
        assert_eq!(error.part(text), part, "{text}");
        if !remedy.is_empty() {
            assert_eq!(error.remedy.as_deref(), Some(remedy), "{text}");
        }
    }
}
