-- What a list of runs shows of a run: the disk that was measured, the answer of a search, and how far
-- a run came that did not reach its end. Runs of earlier versions keep empty columns, and a list
-- shows their paths.

ALTER TABLE run ADD COLUMN disk TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN answer TEXT NOT NULL DEFAULT '';
ALTER TABLE run ADD COLUMN interruption TEXT NOT NULL DEFAULT '';
