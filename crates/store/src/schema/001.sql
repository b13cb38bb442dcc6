-- Runs by name, their documents, their tags.

CREATE TABLE run (
    id         INTEGER PRIMARY KEY,
    run_id     TEXT NOT NULL UNIQUE,
    digits     TEXT NOT NULL,
    started_at TEXT NOT NULL
) STRICT;
CREATE INDEX run_by_digits ON run (digits);
CREATE INDEX run_by_time ON run (started_at, id);

CREATE TABLE document (
    run  INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    body BLOB NOT NULL
) STRICT;

CREATE TABLE tag (
    name TEXT NOT NULL,
    run  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    PRIMARY KEY (name, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_by_run ON tag (run);
