-- The identity of this database file, as opposed to that of its contents.

CREATE TABLE instance (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    incarnation   TEXT NOT NULL,                -- random; replaced whenever an older state is put in place
    is_copy       INTEGER NOT NULL DEFAULT 0 CHECK (is_copy IN (0, 1)), -- 1 in backups: opening one starts a new incarnation
    swept_to      INTEGER,                      -- how far retention has come, Unix milliseconds: behind a clock that has jumped
    swept_at      INTEGER                       -- what the clock showed then
) STRICT;
INSERT INTO instance (id, incarnation) VALUES (1, lower(hex(randomblob(16))));
