//! The examples of other programs' commands, by the words of each.

use super::Example;

pub(super) const EXAMPLES: &[(&str, [Example; 3])] = &[
    (
        "fio",
        [
            ("A job file", "fathom fio job.fio"),
            (
                "A command line",
                "fathom fio --name=x --rw=randread --bs=4k --size=64m --runtime=10 \
                 --filename=x.dat",
            ),
            ("fio's JSON", "fathom fio --output-format=json job.fio"),
        ],
    ),
    (
        "diskspd",
        [
            (
                "Random reads and writes",
                "fathom diskspd -c64M -b8K -d10 -o8 -t2 -r -w30 -Sh io.dat",
            ),
            (
                "Sequential writes with latencies",
                "fathom diskspd -c64M -b1M -d10 -w100 -L io.dat",
            ),
            (
                "Print DISKSPD's XML",
                "fathom diskspd -c64M -b8K -d10 -Rxml io.dat",
            ),
        ],
    ),
    (
        "iotest",
        [
            (
                "Four streams, as in the script",
                "fathom iotest -i 4 -t /data -b 1000 -s 64",
            ),
            (
                "One stream with larger blocks",
                "fathom iotest -i 1 -t /data -b 100 -s 1024",
            ),
            (
                "Print all details",
                "fathom iotest -i 4 -t /data -b 1000 -s 64 --full",
            ),
        ],
    ),
    (
        "rhel-iotest",
        [
            (
                "SASDATA and SASWORK on one file system",
                "fathom rhel-iotest -t /data",
            ),
            ("Select by role", "fathom rhel-iotest -t saswork=/data"),
            ("Print all details", "fathom rhel-iotest -t /data --full"),
        ],
    ),
    (
        "dd",
        [
            (
                "Write with direct I/O, and flush",
                "fathom dd if=/dev/zero of=t.dat bs=1M count=50 conv=fdatasync oflag=direct",
            ),
            (
                "Read a file with direct I/O",
                "fathom dd if=base.json of=/dev/null bs=4k iflag=direct",
            ),
            (
                "The usual dd test, plus the findings that dd does not report",
                "fathom dd if=/dev/zero of=u.dat bs=10M count=5",
            ),
        ],
    ),
    (
        "mdtest",
        [
            (
                "Files of eight tasks, one directory per task",
                "fathom mdtest --tasks 8 -n 1000 -F -u -d .",
            ),
            (
                "Small files in one shared directory, like mdtest-hard of IO500",
                "fathom mdtest --tasks 4 -n 1000 -F -w 3901 -e 3901 -N 1 -d .",
            ),
            (
                "Only directories, in a tree, three times",
                "fathom mdtest --tasks 2 -n 300 -D -z 2 -b 3 -i 3 -d .",
            ),
        ],
    ),
    (
        "ior",
        [
            (
                "One file per task for two tasks, like ior-easy of IO500",
                "fathom ior --tasks 2 -F -e -t 2m -b 4m -o easy",
            ),
            (
                "One shared file, interleaved by block, like ior-hard of IO500",
                "fathom ior --tasks 2 -e -t 47008 -b 47008 -s 50 -o hard",
            ),
            (
                "Verified direct I/O, three times",
                "fathom ior --tasks 2 -w -r -R -i 3 -t 64k -b 1m --posix.odirect -o checked",
            ),
        ],
    ),
    (
        "vdbench",
        [
            ("A parameter file", "fathom vdbench -f load.vdb"),
            (
                "Give its variable `lun` a path, and shorten its runs to 10 s",
                "fathom vdbench -f load.vdb lun=io.dat -e 10 -i 1",
            ),
            (
                "Name the runs of its loops",
                "fathom vdbench -f load.vdb lun=io.dat -s",
            ),
        ],
    ),
    (
        "iometer",
        [
            ("A configuration file", "fathom iometer test.icf"),
            (
                "Also write Iometer's table",
                "fathom iometer test.icf results.csv",
            ),
            ("Print the workload", "fathom iometer test.icf --print"),
        ],
    ),
];
