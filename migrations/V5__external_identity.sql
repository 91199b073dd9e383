-- Signing in with an identity provider outside.

-- When a session ends however often it is renewed; null: 90 days after it began.
ALTER TABLE session ADD COLUMN ends_at INTEGER;

-- Until when the account's password is accepted where passwords are not: the operator's way back in.
ALTER TABLE user ADD COLUMN password_open_until INTEGER;

-- When the newest token was issued, in Unix seconds, of those that said something of this subject: an older one, which
-- may still be good, changes nothing any more.
ALTER TABLE user_identity ADD COLUMN said_at INTEGER NOT NULL DEFAULT 0;
