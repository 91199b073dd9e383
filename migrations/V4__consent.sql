-- What a program asks for, between the page that it opens in a browser and the word of the user.

CREATE TABLE oauth_request (
    request_hash   BLOB PRIMARY KEY,            -- SHA-256 of the secret that the browser carries
    client_id      TEXT NOT NULL REFERENCES oauth_client (id),
    redirect_uri   TEXT NOT NULL,
    code_challenge TEXT NOT NULL,
    state          TEXT,
    scope          TEXT NOT NULL,
    resource       TEXT,
    user_id        INTEGER REFERENCES user (id), -- who looked at it first, and alone may answer
    expires_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth_request_client ON oauth_request (client_id);
CREATE INDEX oauth_request_expiry ON oauth_request (expires_at);
