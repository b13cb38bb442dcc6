-- What a run has written where on a target that stays: for each path the last that wrote to it. The
-- body is there when the run has told; a run that was killed has not.

CREATE TABLE account (
    path      BLOB PRIMARY KEY,
    run       INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    birthmark TEXT NOT NULL,
    body      BLOB
) STRICT, WITHOUT ROWID;
CREATE INDEX account_by_run ON account (run);
