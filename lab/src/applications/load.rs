//! The applications: how each is prepared, and what it does while it is captured.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Result, ensure};

use crate::siege::lab::devices::system;

/// Where Debian has PostgreSQL's programs.
const POSTGRES: &str = "/usr/lib/postgresql/15/bin";

/// A database in `$D/db` that listens on a socket there, and the tables of pgbench.
const PGBENCH: &str = "
    mkdir \"$D/db\" && chown postgres \"$D/db\" && cd \"$D/db\"
    as() { su postgres -s /bin/sh -c \"$*\"; }
    as $P/initdb -A trust -D \"$D/db\" >/dev/null
    printf '%s\\n' 'shared_buffers = 32MB' \"listen_addresses = ''\" \"checkpoint_timeout = 30s\" \
        \"unix_socket_directories = '$D/db'\" 'max_wal_size = 64MB' >>\"$D/db/postgresql.conf\"
    as $P/pg_ctl -D \"$D/db\" -w -l \"$D/db/log\" start >/dev/null
    as $P/pgbench -h \"$D/db\" -i -q -s 40 postgres >/dev/null 2>&1
    sync; echo 3 >/proc/sys/vm/drop_caches";
const POSTGRES_ENDS: &str =
    "su postgres -s /bin/sh -c \"$P/pg_ctl -D '$D/db' -m immediate stop\" >/dev/null";

/// A database in `$D/my` that listens on a socket there, with less memory than tables.
const MARIADB: &str = "
    mkdir \"$D/my\" && chown mysql \"$D/my\"
    mariadb-install-db --no-defaults --user=mysql --datadir=\"$D/my\" --skip-test-db \
        --auth-root-authentication-method=normal >/dev/null 2>&1
    mariadbd --no-defaults --user=mysql --datadir=\"$D/my\" --socket=\"$D/my/s\" \
        --pid-file=\"$D/my/pid\" --skip-networking --innodb-buffer-pool-size=32M \
        --innodb-log-file-size=32M --innodb-flush-method=O_DIRECT >/dev/null 2>&1 &
    until_up='until mariadb-admin --no-defaults -u root -S \"$D/my/s\" ping; do sleep 1; done'
    timeout 60 sh -c \"$until_up\" >/dev/null 2>&1
    mariadb --no-defaults -u root -S \"$D/my/s\" -e 'create database sbtest'
    sysbench oltp_read_write --db-driver=mysql --mysql-socket=\"$D/my/s\" --mysql-user=root \
        --tables=4 --table-size=200000 prepare >/dev/null; sync";

/// A log-structured tree of 1,000,000 keys past the page cache.
const ROCKSDB: &str = "db_bench --db=\"$D/r\" --num=1000000 --value_size=400 \
    --compression_type=none --use_direct_io_for_flush_and_compaction --write_buffer_size=16777216";

/// A program with its scripts, in which `$D` is the folder, `$T` the seconds, `$P` where PostgreSQL
/// is, and `r` is RocksDB's benchmark.
#[derive(Clone, Copy, Debug)]
pub(super) struct Application {
    pub(super) name: &'static str,
    programs: &'static [&'static str],
    prepare: &'static str,
    load: &'static str,
    end: &'static str,
}

pub(super) const APPLICATIONS: [Application; 7] = [
    Application {
        name: "pgbench-select",
        programs: &["/usr/lib/postgresql/15/bin/pgbench"],
        prepare: PGBENCH,
        load: "cd \"$D/db\" && su postgres -s /bin/sh -c \
            \"$P/pgbench -h '$D/db' -S -n -c 4 -T $T postgres\"",
        end: POSTGRES_ENDS,
    },
    Application {
        name: "pgbench-tpcb",
        programs: &["/usr/lib/postgresql/15/bin/pgbench"],
        prepare: PGBENCH,
        load: "cd \"$D/db\" && su postgres -s /bin/sh -c \
            \"$P/pgbench -h '$D/db' -n -c 4 -T $T postgres\"",
        end: POSTGRES_ENDS,
    },
    Application {
        name: "sysbench-mariadb",
        programs: &["mariadbd", "sysbench"],
        prepare: MARIADB,
        load: "sysbench oltp_read_write --db-driver=mysql --mysql-socket=\"$D/my/s\" \
            --mysql-user=root --tables=4 --table-size=200000 --threads=4 --time=$T run",
        end: "mariadb-admin --no-defaults -u root -S \"$D/my/s\" shutdown",
    },
    Application {
        name: "rocksdb",
        programs: &["db_bench"],
        prepare: "r --benchmarks=fillrandom >/dev/null 2>&1; sync",
        load: "r --benchmarks=readrandomwriterandom --use_existing_db --use_direct_reads \
            --cache_size=8388608 --threads=4 --duration=$T 2>/dev/null",
        end: "true",
    },
    Application {
        name: "sqlite",
        programs: &["sqlite3"],
        prepare: "sqlite3 \"$D/x.db\" 'create table t(k integer primary key, v text)'",
        load: "end=$(($(date +%s) + T)); while [ $(date +%s) -lt $end ]; do
            for i in 1 2 3 4 5 6 7 8 9 10; do
            echo \"insert into t(v) values(hex(randomblob(200)));\"; done; done \
            | sqlite3 \"$D/x.db\"",
        end: "true",
    },
    Application {
        name: "dd",
        programs: &["dd"],
        prepare: "true",
        load: "end=$(($(date +%s) + T)); while [ $(date +%s) -lt $end ]; do dd if=/dev/zero \
            of=\"$D/x\" bs=256k oflag=direct count=2000 conv=notrunc 2>/dev/null; done",
        end: "true",
    },
    Application {
        name: "copy",
        programs: &["cp"],
        prepare: "mkdir \"$D/a\"; for i in $(seq 400); do
            head -c 2000000 /dev/urandom >\"$D/a/$i\"; done
            sync; echo 3 >/proc/sys/vm/drop_caches",
        load: "end=$(($(date +%s) + T)); while [ $(date +%s) -lt $end ]; do
            cp -r \"$D/a\" \"$D/b\"; sync; rm -r \"$D/b\"; echo 3 >/proc/sys/vm/drop_caches; done",
        end: "true",
    },
];

impl Application {
    /// The first program that is not here.
    pub(super) fn missing(&self) -> Option<&'static str> {
        let is_there =
            |program: &&&str| system("sh", &["-c", &format!("command -v {program}")]).is_ok();
        self.programs
            .iter()
            .find(|program| !is_there(program))
            .copied()
    }

    /// Brings it to where its load can start.
    pub(super) fn prepare(&self, folder: &Path) -> Result<Prepared> {
        let prepared = Prepared {
            application: *self,
            folder: folder.to_owned(),
        };
        let status = prepared.script(self.prepare, 0).status()?;
        ensure!(status.success(), "{} could not be prepared", self.name);
        Ok(prepared)
    }
}

/// An application whose load can start; it is stopped at the end.
pub(super) struct Prepared {
    application: Application,
    folder: PathBuf,
}

impl Prepared {
    /// Starts the load, which ends by itself.
    pub(super) fn start(&self, seconds: u64) -> Result<Child> {
        Ok(self.script(self.application.load, seconds).spawn()?)
    }

    fn script(&self, text: &str, seconds: u64) -> Command {
        let mut command = Command::new("sh");
        command
            .args(["-e", "-c", &format!("r() {{ {ROCKSDB} \"$@\"; }}; {text}")])
            .env("D", &self.folder)
            .env("T", seconds.to_string())
            .env("P", POSTGRES)
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        match self.script(self.application.end, 0).status() {
            Ok(status) if status.success() => {}
            other => eprintln!("warning: {} did not stop: {other:?}", self.application.name),
        }
    }
}
