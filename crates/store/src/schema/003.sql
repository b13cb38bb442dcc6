-- What `fathom watch` recorded: a name, the head of the recording, and a line for each moment.

CREATE TABLE recording (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    started_at TEXT NOT NULL,
    head       TEXT NOT NULL
) STRICT;

CREATE TABLE moment (
    recording INTEGER NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL,
    line      TEXT NOT NULL,
    PRIMARY KEY (recording, number)
) STRICT, WITHOUT ROWID;

CREATE VIEW recordings AS
SELECT name, started_at,
       (SELECT count(*) FROM moment WHERE moment.recording = recording.id) AS moments
FROM recording;
