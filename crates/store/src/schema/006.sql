-- Who is sending a result that is to be delivered, and since when, so that two do not send it at once.

ALTER TABLE outbox ADD COLUMN sender TEXT;
ALTER TABLE outbox ADD COLUMN sent_since TEXT;
