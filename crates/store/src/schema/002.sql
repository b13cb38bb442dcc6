-- What a list of runs shows, beside each run; figures of each document in tables of their own,
-- which are made again from the documents by this step; notes; the journal of runs in progress.

ALTER TABLE run ADD COLUMN status TEXT NOT NULL DEFAULT 'complete';
ALTER TABLE run ADD COLUMN process TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN workload TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN targets TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN hostname TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN engine TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN version TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN origin TEXT NOT NULL DEFAULT 'measured';
ALTER TABLE run ADD COLUMN state TEXT NOT NULL DEFAULT 'INVALID';
ALTER TABLE run ADD COLUMN phases INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN measured_ns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN iops REAL NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN bytes_per_second REAL NOT NULL DEFAULT 0;
ALTER TABLE run ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX run_unfinished ON run (id) WHERE status = 'running';

CREATE TABLE note (
    run  INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE journal (
    run  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    page INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (run, page)
) STRICT;

CREATE TABLE phase (
    run          INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    phase        INTEGER NOT NULL,
    name         TEXT NOT NULL,
    repeat       INTEGER NOT NULL,
    start_ns     INTEGER NOT NULL,
    warm_up_ns   INTEGER NOT NULL,
    measured_ns  INTEGER NOT NULL,
    cool_down_ns INTEGER NOT NULL,
    ended_by     TEXT NOT NULL,
    PRIMARY KEY (run, phase)
) STRICT, WITHOUT ROWID;

CREATE TABLE op (
    run               INTEGER NOT NULL,
    phase             INTEGER NOT NULL,
    job               INTEGER NOT NULL,
    op                TEXT NOT NULL,
    job_name          TEXT NOT NULL,
    load_model        TEXT NOT NULL,
    active_ns         INTEGER NOT NULL,
    threads           INTEGER NOT NULL,
    queue_depth       INTEGER NOT NULL,
    queue_depth_held  REAL NOT NULL,
    ios               INTEGER NOT NULL,
    bytes             INTEGER NOT NULL,
    errors            INTEGER NOT NULL,
    iops              REAL NOT NULL,
    bytes_per_second  REAL NOT NULL,
    service_mean_ns   REAL NOT NULL,
    service_p50_ns    INTEGER,
    service_p90_ns    INTEGER,
    service_p99_ns    INTEGER,
    service_p99_9_ns  INTEGER,
    service_p99_99_ns INTEGER,
    service_max_ns    INTEGER NOT NULL,
    response_mean_ns   REAL NOT NULL,
    response_p50_ns    INTEGER,
    response_p90_ns    INTEGER,
    response_p99_ns    INTEGER,
    response_p99_9_ns  INTEGER,
    response_p99_99_ns INTEGER,
    response_max_ns    INTEGER NOT NULL,
    PRIMARY KEY (run, phase, job, op),
    FOREIGN KEY (run, phase) REFERENCES phase (run, phase) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE interval (
    run              INTEGER NOT NULL,
    phase            INTEGER NOT NULL,
    interval         INTEGER NOT NULL,
    job              INTEGER NOT NULL,
    op               TEXT NOT NULL,
    part             TEXT NOT NULL,
    start_ns         INTEGER NOT NULL,
    length_ns        INTEGER NOT NULL,
    queue_depth_held REAL NOT NULL,
    ios              INTEGER NOT NULL,
    bytes            INTEGER NOT NULL,
    errors           INTEGER NOT NULL,
    service_mean_ns  REAL NOT NULL,
    service_p50_ns   INTEGER,
    service_p99_ns   INTEGER,
    service_max_ns   INTEGER NOT NULL,
    PRIMARY KEY (run, phase, interval, job, op),
    FOREIGN KEY (run, phase) REFERENCES phase (run, phase) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE device_sample (
    run         INTEGER NOT NULL,
    phase       INTEGER NOT NULL,
    device      TEXT NOT NULL,
    start_ns    INTEGER NOT NULL,
    length_ns   INTEGER NOT NULL,
    reads       INTEGER NOT NULL,
    read_bytes  INTEGER NOT NULL,
    writes      INTEGER NOT NULL,
    write_bytes INTEGER NOT NULL,
    busy_ns     INTEGER NOT NULL,
    queue_ns    INTEGER NOT NULL,
    PRIMARY KEY (run, phase, device, start_ns),
    FOREIGN KEY (run, phase) REFERENCES phase (run, phase) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- The interface for other tools: tables may change with the next step, views keep their columns.

CREATE VIEW runs AS
SELECT run_id, started_at, status, state, origin, workload, targets, hostname, engine, version,
       phases, measured_ns / 1e9 AS measured_s, iops, bytes_per_second / 1e6 AS mb_per_s,
       (SELECT group_concat(name, ' ') FROM (SELECT name FROM tag WHERE run = run.id ORDER BY name))
           AS tags,
       (SELECT text FROM note WHERE run = run.id) AS note
FROM run;

CREATE VIEW results AS
SELECT run.run_id, run.started_at, run.state, run.origin, run.workload, run.hostname,
       phase.name AS phase, phase.repeat, phase.measured_ns / 1e9 AS measured_s, phase.ended_by,
       op.job_name AS job, op.op, op.load_model, op.threads, op.queue_depth, op.queue_depth_held,
       op.ios, op.bytes, op.errors, op.iops, op.bytes_per_second / 1e6 AS mb_per_s,
       op.service_mean_ns / 1e6 AS service_mean_ms,
       op.service_p50_ns / 1e6 AS service_p50_ms, op.service_p90_ns / 1e6 AS service_p90_ms,
       op.service_p99_ns / 1e6 AS service_p99_ms, op.service_p99_9_ns / 1e6 AS service_p99_9_ms,
       op.service_p99_99_ns / 1e6 AS service_p99_99_ms, op.service_max_ns / 1e6 AS service_max_ms,
       op.response_mean_ns / 1e6 AS response_mean_ms,
       op.response_p50_ns / 1e6 AS response_p50_ms, op.response_p90_ns / 1e6 AS response_p90_ms,
       op.response_p99_ns / 1e6 AS response_p99_ms,
       op.response_p99_9_ns / 1e6 AS response_p99_9_ms,
       op.response_p99_99_ns / 1e6 AS response_p99_99_ms,
       op.response_max_ns / 1e6 AS response_max_ms
FROM op JOIN phase USING (run, phase) JOIN run ON run.id = op.run;

CREATE VIEW intervals AS
SELECT run.run_id, phase.name AS phase, phase.repeat, op.job_name AS job, interval.op,
       interval.part, interval.start_ns / 1e9 AS start_s, interval.length_ns / 1e9 AS length_s,
       interval.queue_depth_held, interval.ios, interval.bytes, interval.errors,
       interval.ios * 1e9 / nullif(interval.length_ns, 0) AS iops,
       interval.bytes * 1e3 / nullif(interval.length_ns, 0) AS mb_per_s,
       interval.service_mean_ns / 1e6 AS service_mean_ms,
       interval.service_p50_ns / 1e6 AS service_p50_ms,
       interval.service_p99_ns / 1e6 AS service_p99_ms,
       interval.service_max_ns / 1e6 AS service_max_ms
FROM interval JOIN phase USING (run, phase) JOIN op USING (run, phase, job, op)
JOIN run ON run.id = interval.run;

CREATE VIEW devices AS
SELECT run.run_id, phase.name AS phase, phase.repeat, device_sample.device,
       device_sample.start_ns / 1e9 AS start_s, device_sample.length_ns / 1e9 AS length_s,
       reads, read_bytes, writes, write_bytes,
       reads * 1e9 / nullif(length_ns, 0) AS reads_per_s,
       writes * 1e9 / nullif(length_ns, 0) AS writes_per_s,
       read_bytes * 1e3 / nullif(length_ns, 0) AS read_mb_per_s,
       write_bytes * 1e3 / nullif(length_ns, 0) AS write_mb_per_s,
       busy_ns * 100.0 / nullif(length_ns, 0) AS busy_percent,
       queue_ns * 1.0 / nullif(length_ns, 0) AS queue_depth
FROM device_sample JOIN phase USING (run, phase) JOIN run ON run.id = device_sample.run;
