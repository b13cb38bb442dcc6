-- Results that are to be delivered and were not yet: where to, since when, how often it was tried,
-- and what came in between the last time.

CREATE TABLE outbox (
    run         INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    destination TEXT NOT NULL,
    since       TEXT NOT NULL,
    tries       INTEGER NOT NULL,
    cause       TEXT,
    PRIMARY KEY (run, destination)
) STRICT, WITHOUT ROWID;

CREATE VIEW not_delivered AS
SELECT run_id, destination, since, tries, cause FROM outbox JOIN run ON run.id = outbox.run;
