//! Devices on devices, known by number, and what others have open.

use super::*;

/// Stacks that no path leads through here. sdm is shown by loop5, whose path leads to nothing, and
/// sdn by loop6, whose path leads to sdc; loop7 shows a file whose path leads to another one; dm-2
/// is built on sdo, which loop8 shows; loop5 is shown by loop9 in turn.
fn stacks() -> Machine {
    let mut machine = machine();
    for (index, name) in (12..).zip(["sdm", "sdn", "sdo"]) {
        machine.disk(name, DevNum::new(8, index * 16), 1000);
    }
    for index in 5..10 {
        machine.disk(&format!("loop{index}"), DevNum::new(7, index), 100);
    }
    machine.attach("loop5", "/dev/sdm", "/gone/sdm");
    machine.attach("loop6", "/dev/sdn", "/dev/sdc");
    machine.file("/data/shown", "252:0", 40);
    machine.attach("loop7", "/data/shown", "/data/theirs");
    machine.disk("dm-2", DevNum::new(252, 2), 100);
    machine.stack("dm-2", &["sdo"]);
    machine.attach("loop8", "/dev/sdo", "/gone/sdo");
    machine.attach("loop9", "/dev/loop5", "/gone/loop5");
    machine.mount("7:9", "/deep", "ext4", "/dev/loop9");
    machine
}

#[test]
fn what_a_loop_device_shows_is_known_by_number() {
    let cause = |target: &str| {
        let permissions = permissions(&[target, "--overwrite"]);
        check_write(Path::new(target), &permissions, &stacks().system())
            .map(|cleared| cleared.kind)
            .map_err(|error| error.cause())
    };
    let refused = |cause: &str| Err(cause.to_owned());
    let free = Ok(ClearedKind::BlockDevice(vec![]));
    let cases = [
        (
            "/dev/sdm",
            refused(
                "it is shown by /dev/loop5; /dev/loop5 is shown by /dev/loop9; /dev/loop9 is \
                 mounted on /deep (ext4)",
            ),
        ),
        ("/dev/sdn", refused("it is shown by /dev/loop6")),
        ("/dev/sdc", free.clone()),
        ("/data/shown", refused("it is shown by /dev/loop7")),
        ("/data/theirs", Ok(ClearedKind::ForeignFile)),
        ("/dev/loop6", free.clone()),
        ("/dev/loop7", free),
        ("/dev/dm-2", refused("/dev/sdo is shown by /dev/loop8")),
    ];
    for (target, expected) in cases {
        assert_eq!(cause(target), expected, "{target}");
    }
}

#[test]
fn what_cannot_be_resolved_is_refused() {
    let hidden = || {
        let mut machine = machine();
        machine.disk("loop5", DevNum::new(7, 5), 100);
        machine.attach_hidden("loop5", "/dev/sdc");
        machine
    };
    let answer = |machine: Machine, target: &str| {
        let permissions = permissions(&[target, "--overwrite"]);
        check_write(Path::new(target), &permissions, &machine.system())
            .map(|cleared| cleared.kind)
            .map_err(|error| error.to_string())
    };
    let refusal = |target: &str| {
        Err(format!(
            "cannot open {target} for writing: /dev/loop5 may show it: what it shows cannot be \
             found out (/dev/sdc); try losetup --detach /dev/loop5, or run where /dev/loop5 can be \
             opened, or another target"
        ))
    };
    for target in ["/dev/sdc", "/dev/sdb2", "/dev/loop5"] {
        assert_eq!(answer(hidden(), target), refusal(target));
    }
    // A file that nobody has open is shown by no device.
    let foreign = Ok(ClearedKind::ForeignFile);
    assert_eq!(answer(hidden(), "/data/theirs"), foreign);
    let mut machine = hidden();
    machine.opened("/data/theirs", 7, "postgres", true);
    assert_eq!(answer(machine, "/data/theirs"), refusal("/data/theirs"));
}

#[test]
fn what_a_process_has_open_is_refused() {
    let cause = |open: &str, writes: bool, target: &str| {
        let mut machine = machine();
        machine.disk("loop5", DevNum::new(7, 5), 100);
        machine.attach("loop5", "/data/theirs", "/data/theirs");
        machine.opened(open, 4711, "qemu-system-x86", writes);
        let permissions = permissions(&[target, "--overwrite"]);
        check_write(Path::new(target), &permissions, &machine.system())
            .map(|cleared| cleared.kind)
            .map_err(|error| (error.cause(), error.remedy()))
    };
    let refused = |what: &str, how: &str| {
        let cause = format!("process 4711 (qemu-system-x86) has {what} open to {how}");
        let remedy = "end process 4711 (qemu-system-x86), or another target".to_owned();
        Err((cause, remedy))
    };
    let free = Ok(ClearedKind::BlockDevice(vec![]));
    let cases = [
        ("/dev/sdc", true, "/dev/sdc", refused("it", "write")),
        ("/dev/sdc", false, "/dev/sdc", refused("it", "read")),
        ("/dev/sda3", true, "/dev/sda3", refused("it", "write")),
        ("/dev/sda", true, "/dev/sda3", refused("/dev/sda", "write")),
        ("/dev/sda1", true, "/dev/sda3", free.clone()),
        ("/data/theirs", true, "/dev/loop5", refused("it", "write")),
        ("/data/ours", true, "/data/ours", refused("it", "write")),
        ("/data/ours", true, "/dev/sdc", free),
    ];
    for (open, writes, target, expected) in cases {
        assert_eq!(cause(open, writes, target), expected, "{open} {target}");
    }
}

#[test]
fn what_the_kernel_serves_is_refused() {
    const NVME: &str = "nvmet/subsystems/s/namespaces/1";
    const SCSI: &str = "target/core/fileio_0/disk";
    let cause = |settings: &[(&str, &str)], target: &str| {
        let mut machine = machine();
        for (path, text) in settings {
            machine.configured(path, text);
        }
        let permissions = permissions(&[target, "--overwrite"]);
        check_write(Path::new(target), &permissions, &machine.system())
            .map(|cleared| cleared.kind)
            .map_err(|error| {
                let cause = error.cause();
                let (before, after) = cause.split_once("/kernel/config/").unwrap();
                let (before, _) = before.rsplit_once(' ').unwrap();
                format!("{before} {after}")
            })
    };
    let of = |folder: &str, name: &str| format!("{folder}/{name}");
    let path = of(NVME, "device_path");
    let enable = of(NVME, "enable");
    let free = Ok(ClearedKind::BlockDevice(vec![]));
    let served = [(path.as_str(), "/dev/sdc\n"), (enable.as_str(), "1\n")];
    assert_eq!(
        cause(&served, "/dev/sdc"),
        Err(format!("the kernel serves it by {NVME}"))
    );
    assert_eq!(cause(&served, "/dev/md0"), free);
    let off = [(path.as_str(), "/dev/sdc\n"), (enable.as_str(), "0\n")];
    assert_eq!(cause(&off, "/dev/sdc"), free);
    let gone = [(path.as_str(), "/gone/sdc\n"), (enable.as_str(), "1\n")];
    assert_eq!(
        cause(&gone, "/dev/sdc"),
        Err(format!(
            "the kernel may serve it by {NVME}: /gone/sdc leads to nothing here"
        ))
    );
    let (path, enable) = (of(SCSI, "udev_path"), of(SCSI, "enable"));
    let file = [(path.as_str(), "/data/theirs\n"), (enable.as_str(), "1\n")];
    assert_eq!(
        cause(&file, "/data/theirs"),
        Err(format!("the kernel serves it by {SCSI}"))
    );
}
