-- Emails: the queue, confirmations of email addresses, and resets of forgotten passwords.

-- Emails that wait for the mail server. A row stays for a day after its email was sent or dropped, without the email, so
-- that the limits per user, organization and recipient count it.
CREATE TABLE mail_message (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    kind            TEXT NOT NULL,              -- invitation, confirmation, reset
    recipient_hash  BLOB NOT NULL,              -- SHA-256 of the address
    user_id         INTEGER REFERENCES user (id), -- who caused it
    organization_id TEXT REFERENCES organization (id), -- on whose behalf it is sent
    letter          BLOB,                       -- address, subject and text, sealed; null: sent or dropped
    incarnation     TEXT NOT NULL,              -- of the database: emails in a restored backup are not sent again
    attempts        INTEGER NOT NULL DEFAULT 0,
    created_at      INTEGER NOT NULL,
    due_at          INTEGER NOT NULL,           -- when it is sent, or tried again
    expires_at      INTEGER NOT NULL            -- when it is dropped
) STRICT;
CREATE INDEX mail_message_due ON mail_message (due_at) WHERE letter IS NOT NULL;
CREATE INDEX mail_message_age ON mail_message (created_at);
CREATE INDEX mail_message_user ON mail_message (user_id, created_at);
CREATE INDEX mail_message_organization ON mail_message (organization_id, created_at);
CREATE INDEX mail_message_recipient ON mail_message (recipient_hash, created_at);

-- Links that confirm the email address of an account. A user has at most one.
CREATE TABLE email_confirmation (
    user_id    INTEGER PRIMARY KEY REFERENCES user (id),
    token_hash BLOB NOT NULL UNIQUE,
    email      TEXT NOT NULL,                   -- the link confirms only this address
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX email_confirmation_expiry ON email_confirmation (expires_at);

-- Links that set a new password. A user has at most one.
CREATE TABLE password_reset (
    user_id    INTEGER PRIMARY KEY REFERENCES user (id),
    token_hash BLOB NOT NULL UNIQUE,
    email      TEXT NOT NULL,                   -- valid while this is the confirmed address of the account
    expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX password_reset_expiry ON password_reset (expires_at);
