-- What comes from outside: who is at the wiki's provider to agree, and pictures.

-- Who went to the provider and is not back. With the row goes the right to come back.
CREATE TABLE wiki_pending (
    state_hash      BLOB PRIMARY KEY,           -- SHA-256 of what the browser carries
    user_id         INTEGER NOT NULL REFERENCES user (id),
    organization_id TEXT NOT NULL REFERENCES organization (id),
    expires_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX wiki_pending_expiry ON wiki_pending (expires_at);

-- Pictures from elsewhere: people's photographs and icons of the wiki, fetched once and served from here.

CREATE TABLE image_content (                    -- the same bytes are kept once, whoever asked for them
    hash       BLOB PRIMARY KEY,                -- SHA-256
    media_type TEXT NOT NULL,
    size       INTEGER NOT NULL,
    bytes      BLOB NOT NULL
) STRICT;

CREATE TABLE image (
    organization_id TEXT NOT NULL REFERENCES organization (id),
    address         TEXT NOT NULL,              -- where it comes from
    hash            BLOB REFERENCES image_content (hash), -- null: it never came
    problem         TEXT,                       -- why the last try failed; null when it did not
    failures        INTEGER NOT NULL,           -- since the last success
    tried_at        INTEGER NOT NULL,
    due_at          INTEGER NOT NULL,           -- when it is tried again, while somebody uses it
    PRIMARY KEY (organization_id, address)
) STRICT;
CREATE INDEX image_hash ON image (hash) WHERE hash IS NOT NULL;
CREATE INDEX image_due ON image (due_at);

-- Who uses an address.
CREATE INDEX person_photo ON person (organization_id, photo_url) WHERE photo_url IS NOT NULL;
CREATE INDEX external_link_icon ON external_link (icon) WHERE icon IS NOT NULL;
