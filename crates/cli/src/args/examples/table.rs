//! The examples of our own commands, by the words of each.

use super::Example;

pub(super) const EXAMPLES: &[(&str, [Example; 3])] = &[
    (
        "quick",
        [
            ("Measure the disk under this directory", "fathom quick"),
            (
                "Measure another disk, and test whether it honours flushes",
                "fathom quick /data --probe",
            ),
            (
                "Also write an HTML report to share",
                "fathom quick -o html:quick.html",
            ),
        ],
    ),
    (
        "run",
        [
            (
                "Run a database load on the file system of /data",
                "fathom run pg-oltp --target /data",
            ),
            (
                "Describe the load with fio's option names",
                "fathom run --rw randread --bs 16KiB --iodepth 64 --runtime 30 --size 4GiB /data",
            ),
            (
                "In a CI pipeline: fail if a limit is missed",
                "fathom run ms-oltp --target /data --require 'p99<=5s' -o junit:run.xml",
            ),
        ],
    ),
    (
        "ramp",
        [
            (
                "Find the load where throughput stops rising",
                "fathom ramp random-read-4k --target /data",
            ),
            (
                "Find the highest rate that meets an objective",
                "fathom ramp ms-oltp --slo 'p99<=2ms' --target /data",
            ),
            (
                "Increase the request size, one request at a time",
                "fathom ramp random-read-4k --over block-size --target /data",
            ),
        ],
    ),
    (
        "suite",
        [
            ("List the suites", "fathom suite"),
            ("List a suite's runs", "fathom suite size-matrix --list"),
            (
                "Run all of it, or resume it in the same folder",
                "fathom suite size-matrix --target /data --into matrix",
            ),
        ],
    ),
    (
        "verify",
        [
            (
                "Check the blocks that `fathom run --verify stamp` wrote",
                "fathom verify stamped.dat",
            ),
            (
                "Check only the first blocks",
                "fathom verify stamped.dat --size 1MiB",
            ),
            ("Check one run", "fathom verify stamped.dat --seed 1"),
        ],
    ),
    (
        "durability",
        [
            (
                "Write until the power is cut, with a log on another host",
                "fathom durability --target /data --promise flush --ack-log lab:7711",
            ),
            (
                "The acknowledgement server",
                "fathom durability --ack-server 0.0.0.0:7711 --ack-log run.log",
            ),
            (
                "After the power cut: verify which acknowledged writes survived",
                "fathom durability --verify --target /data --ack-log run.log",
            ),
        ],
    ),
    (
        "compare",
        [
            (
                "Compare the last run with the one before",
                "fathom compare @latest~1 @latest",
            ),
            (
                "Compare several runs per side, selected by tag",
                "fathom compare tag:before tag:after",
            ),
            (
                "In a CI pipeline: fail if p99 is worse by 5 %",
                "fathom compare base.json new.json --metric p99 --gate 5%",
            ),
        ],
    ),
    (
        "ab",
        [
            (
                "Alternate two engines until the faster one is known",
                "fathom ab --a 'run random-read-4k --engine io_uring' \
                 --b 'run random-read-4k --engine psync'",
            ),
            (
                "Two disks",
                "fathom ab --a 'run ms-oltp --target /data' --b 'run ms-oltp --target /data2'",
            ),
            (
                "In a CI pipeline: fail if B is slower by 5 %",
                "fathom ab --gate 5% --a 'run ms-oltp' --b 'run ms-oltp --queue-depth 16'",
            ),
        ],
    ),
    (
        "trend",
        [
            (
                "Has the nightly run got slower, and since when?",
                "fathom trend nightly",
            ),
            (
                "Latency of one workload over the last 90 days, with a chart",
                "fathom trend random-read-4k --metric p99 --since 90d -o trend.html",
            ),
            (
                "For CI: fail if the latest change is for the worse",
                "fathom trend nightly --since 30d --gate -o junit:trend.xml",
            ),
        ],
    ),
    (
        "report",
        [
            (
                "Write the report of the last run",
                "fathom report @latest -o run.html",
            ),
            (
                "Show two runs side by side",
                "fathom report @latest~1 @latest -o both.html",
            ),
            (
                "Read the results from files",
                "fathom report base.json new.json -o files.html",
            ),
        ],
    ),
    (
        "check",
        [
            ("Check what a run here would measure", "fathom check ."),
            (
                "Skip the 3 s check for other users",
                "fathom check /data --no-wait",
            ),
            ("For programs", "fathom check /data --no-wait --json"),
        ],
    ),
    (
        "explain",
        [
            ("An output that somebody sent", "fathom explain output.txt"),
            (
                "Print all findings as Markdown, to paste into a ticket",
                "fathom explain output.txt -o markdown",
            ),
            ("For programs", "fathom explain output.txt --json"),
        ],
    ),
    (
        "watch",
        [
            ("Show all disks until q is pressed", "fathom watch"),
            ("Serve metrics for Prometheus", "fathom watch --listen 9753"),
            (
                "Record for `fathom need`",
                "fathom watch --count 10 --record busy.jsonl",
            ),
        ],
    ),
    (
        "throttled",
        [
            (
                "Find out whether the storage below a folder is limited now",
                "fathom throttled /var/lib/postgresql",
            ),
            (
                "Look at one process and its control group",
                "fathom throttled --pid 4711",
            ),
            (
                "Compare with the limits of a volume and an instance, for 20 s",
                "fathom throttled nvme1n1 --volume gp2:250GiB --instance r5d.xlarge --time 20",
            ),
        ],
    ),
    (
        "capture",
        [
            (
                "Record a minute of all requests below /var/lib/postgresql",
                "fathom capture --path /var/lib/postgresql --time 60s -o db.capture",
            ),
            (
                "Record one process until Ctrl-C",
                "fathom capture --device vda --pid 4711 -o app.capture",
            ),
            (
                "Record for `fathom blame` what requests wait for",
                "fathom capture --device vda --events blame --time 60s -o slow.capture",
            ),
        ],
    ),
    (
        "blame",
        [
            (
                "Explain the slowest requests of the busiest process",
                "fathom blame db.capture",
            ),
            (
                "Explain those of another process",
                "fathom blame db.capture --process postgres",
            ),
            ("For programs", "fathom blame db.capture --json"),
        ],
    ),
    (
        "learn",
        [
            (
                "Turn a capture into a workload, and see how near it is",
                "fathom learn db.capture -o db.toml",
            ),
            (
                "Compare the capture with one of a run of that workload",
                "fathom learn db.capture --against twin.capture",
            ),
            ("For programs", "fathom learn db.capture --json"),
        ],
    ),
    (
        "fit",
        [
            (
                "State whether a recorded database fits on four volumes behind a machine",
                "fathom fit db.capture --on '4x gp3:1TiB under r6i.2xlarge'",
            ),
            (
                "Compare two volumes at half as much load again",
                "fathom fit db.capture --scale 1.5 --on gp3:500GiB --on io2:500GiB:8000iops",
            ),
            (
                "Run it on a directory, and find out how far the load can grow",
                "fathom fit db.capture --on /mnt/new --headroom",
            ),
        ],
    ),
    (
        "selftest",
        [
            (
                "Test fathom on the disk under the current directory",
                "fathom selftest",
            ),
            ("In about half a minute", "fathom selftest --short"),
            ("For programs", "fathom selftest --json /data"),
        ],
    ),
    (
        "devices",
        [
            ("List the disks of this machine", "fathom devices"),
            ("Include empty devices", "fathom devices --all"),
            ("For programs", "fathom devices --json"),
        ],
    ),
    (
        "show",
        [
            ("Show all details of the last run", "fathom show @latest"),
            ("As CSV", "fathom show @latest -o csv"),
            ("Show a run from a file", "fathom show base.json"),
        ],
    ),
    (
        "need",
        [
            ("Show what the recorded load needs", "fathom need day.jsonl"),
            (
                "Show the peak load plus 25 % growth",
                "fathom need day.jsonl --by peak --growth 25",
            ),
            (
                "Write a workload to reproduce the load",
                "fathom need day.jsonl --profile need.toml",
            ),
        ],
    ),
    (
        "plan",
        [
            (
                "Find volumes for a number of IOPS",
                "fathom plan --iops 10000 --block-size 16KiB --read 70 --capacity 200GiB \
                 --cloud aws",
            ),
            (
                "Find volumes for a recorded load",
                "fathom plan --from day.jsonl --capacity 500GiB",
            ),
            (
                "Find the best layout for 500 USD a month",
                "fathom plan --budget 500 --capacity 1TiB --cloud aws",
            ),
        ],
    ),
    (
        "simulate",
        [
            (
                "Simulate a day on burstable volumes, with the instance and limits of a past date",
                "fathom simulate ms-oltp --volume '4x gp2:250GiB' --instance r5d.xlarge \
                 --as-of 2018-11-29 --for 24h",
            ),
            (
                "Run a fio job file on a volume that does not exist yet",
                "fathom simulate job.fio --volume gp3:1TiB:16000iops:1000MiB/s",
            ),
            (
                "Simulate eight hosts that share a volume",
                "fathom simulate pg-oltp --volume io2:1TiB:32000iops --hosts 8 --shared=common",
            ),
        ],
    ),
    (
        "catalog",
        [
            ("List all known volumes of a cloud", "fathom catalog aws"),
            ("Show a volume type", "fathom catalog gp3"),
            ("List instances", "fathom catalog aws --instances"),
        ],
    ),
    (
        "convert",
        [
            (
                "Convert a profile to a fio job file",
                "fathom convert ms-oltp --to fio --target /data/io.dat",
            ),
            (
                "Convert a fio job file to TOML",
                "fathom convert job.fio --to native -o job.toml",
            ),
            (
                "Convert a DISKSPD command line to fio",
                "fathom convert --from diskspd --to fio \
                 -- -c10G -b8K -d60 -t4 -o8 -r -w30 /data/io.dat",
            ),
        ],
    ),
    (
        "import",
        [
            ("Import a result", "fathom import base.json"),
            ("Another history", "fathom import runs.gz"),
            (
                "Show a result without saving it",
                "fathom import base.json --no-save",
            ),
        ],
    ),
    (
        "history",
        [
            ("List the latest runs", "fathom history"),
            (
                "List the suspect runs of a week on one disk",
                "fathom history --state suspect --since 7d --target /data",
            ),
            ("All runs, for a spreadsheet", "fathom history -o runs.csv"),
        ],
    ),
    (
        "tag",
        [
            ("Tag the last run", "fathom tag @latest baseline"),
            ("Two tags", "fathom tag @latest nightly good"),
            ("Remove the tag", "fathom tag @latest nightly --remove"),
        ],
    ),
    (
        "note",
        [
            (
                "Add a note",
                "fathom note @latest 'before the new firmware'",
            ),
            (
                "Write a note on an older run",
                "fathom note @latest~1 'while a backup ran'",
            ),
            ("Remove the note", "fathom note @latest --remove"),
        ],
    ),
    (
        "remove",
        [
            ("One run", "fathom remove @latest"),
            ("List the runs with a tag", "fathom remove tag:old"),
            ("Delete the runs with a tag", "fathom remove tag:old --yes"),
        ],
    ),
    (
        "prune",
        [
            (
                "List the runs that would be deleted",
                "fathom prune --keep 1000 --before 365d",
            ),
            ("By size", "fathom prune --max-size 2GB"),
            ("Do it", "fathom prune --keep 1000 --yes"),
        ],
    ),
    (
        "deliver",
        [
            (
                "Send the latest result to a server, with ssh keys",
                "fathom deliver @latest ssh://lab.example/srv/results/",
            ),
            (
                "Send it by mail, with the report and the JSON attached",
                "fathom deliver tag:baseline 'smtps://mail.example/?to=storage@example.com'",
            ),
            ("Send all queued results again", "fathom deliver --pending"),
        ],
    ),
    (
        "image",
        [
            (
                "Add site keys and a job, for a CD or USB stick",
                "fathom image fathom-live.iso --site lab",
            ),
            (
                "The same for UEFI: a file to copy to a FAT stick",
                "fathom image fathom-live.efi --site lab -o BOOTX64.EFI",
            ),
            (
                "The same for network boot",
                "fathom image fathom-live.initrd --site lab -o /srv/tftp/initrd --replace-results",
            ),
        ],
    ),
    (
        "export",
        [
            ("Export one run", "fathom export @latest -o run.gz"),
            ("Two runs", "fathom export @latest~1 @latest -o two.gz"),
            ("All", "fathom export --all -o all.gz"),
        ],
    ),
    (
        "clean",
        [
            ("Clean this directory", "fathom clean"),
            ("In a directory", "fathom clean /data"),
            ("One file", "fathom clean /data/fathom-data.dat"),
        ],
    ),
    (
        "profiles",
        [
            ("List the built-in workloads", "fathom profiles"),
            ("Print a profile", "fathom profiles show pg-oltp"),
            ("For programs", "fathom profiles --json"),
        ],
    ),
    (
        "studies",
        [
            ("List the claims with their commands", "fathom studies"),
            (
                "Compute the figures of one study again",
                "fathom studies sas",
            ),
            (
                "Also run what needs a disk",
                "fathom studies proliant --target /data",
            ),
        ],
    ),
    (
        "generate",
        [
            ("Print the manual page", "fathom generate man"),
            (
                "Print alerts for the metrics of `fathom watch --listen`",
                "fathom generate prometheus-rules",
            ),
            (
                "Complete names of profiles, runs and codes",
                "fathom generate completions bash",
            ),
        ],
    ),
    (
        "help",
        [
            ("Explain a command", "fathom help run"),
            ("Explain a code in a report", "fathom help cache_reads"),
            ("Explain a word of a report", "fathom help service time"),
        ],
    ),
    (
        "generate man",
        [
            ("Print the manual page of fathom", "fathom generate man"),
            ("Write all pages to a folder", "fathom generate man pages"),
            (
                "Write all pages again after an update",
                "fathom generate man pages --replace-results",
            ),
        ],
    ),
    (
        "generate completions",
        [
            (
                "Enable completion in bash from the next login",
                "fathom generate completions bash",
            ),
            ("For zsh", "fathom generate completions zsh"),
            ("For fish", "fathom generate completions fish"),
        ],
    ),
    (
        "generate grafana",
        [
            (
                "Print the dashboard for the import",
                "fathom generate grafana",
            ),
            (
                "Give it a title",
                "fathom generate grafana --title \"Databases\"",
            ),
            (
                "Show a part of the instances",
                "fathom generate grafana --instance \"db.*\"",
            ),
        ],
    ),
    (
        "generate prometheus-rules",
        [
            (
                "Print the alerts for rule_files",
                "fathom generate prometheus-rules",
            ),
            (
                "Tolerate a p99 of 10 ms",
                "fathom generate prometheus-rules --latency 10ms",
            ),
            (
                "Warn six hours before burst credit is used up",
                "fathom generate prometheus-rules --credit 6h",
            ),
        ],
    ),
    (
        "generate kubernetes",
        [
            (
                "Four pods with one volume each",
                "fathom generate kubernetes --image registry.example/fathom:0.1.0 \
                 --storage-class fast -- random-read-4k --time 60s",
            ),
            (
                "Sixteen pods with larger volumes",
                "fathom generate kubernetes --image registry.example/fathom:0.1.0 \
                 --storage-class fast --members 16 --volume 100Gi -- random-write-4k",
            ),
            (
                "Measure a shared file system by an existing claim",
                "fathom generate kubernetes --image registry.example/fathom:0.1.0 --claim lustre \
                 --results-claim results -- sequential-read-1m",
            ),
        ],
    ),
    (
        "catalog refresh",
        [
            (
                "Show what today's price list would change",
                "fathom catalog refresh --from offers.json --dry-run",
            ),
            (
                "Apply the changes for all commands",
                "fathom catalog refresh --from offers.json",
            ),
            (
                "Read an answer of several pages, with an explicit date",
                "fathom catalog refresh --from page1.json page2.json --read-on 2026-11-01",
            ),
        ],
    ),
    (
        "profiles show",
        [
            ("Show a profile", "fathom profiles show pg-oltp"),
            (
                "Show the profile of the complete IRIS load",
                "fathom profiles show iris-full",
            ),
            (
                "Show the profile of a mail server's files",
                "fathom profiles show mail-spool",
            ),
        ],
    ),
];
