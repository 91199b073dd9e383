-- Whether an administrator or an identity provider set the email address of an account. An address that its user entered
-- is not confirmed, and links no account to an identity provider.

ALTER TABLE user ADD COLUMN is_email_confirmed INTEGER NOT NULL DEFAULT 1 CHECK (is_email_confirmed IN (0, 1));
