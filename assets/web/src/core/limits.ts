/** Limits of the server. Generated from the OpenAPI document and the default configuration by `npm run limits`; do not edit. */

/** Maximum length of a name, in characters. */
export const MAX_NAME_CHARS = 200;

/** Maximum length of a description or label, in characters. */
export const MAX_TEXT_CHARS = 10_000;

/** Maximum size of the text of a decision, in bytes. */
export const MAX_DECISION_BYTES = 100_000;

/** Maximum length of a comment, in characters. */
export const MAX_COMMENT_CHARS = 10_000;

/** Maximum length of the message of an access request, in characters. */
export const MAX_MESSAGE_CHARS = 500;

/** Maximum length of the URL of a link, in characters. */
export const MAX_URL_CHARS = 2_048;

/** Maximum length of the slug of an organization, in characters. */
export const MAX_SLUG_CHARS = 50;

/** Minimum length of a new password, in characters. */
export const MIN_PASSWORD_CHARS = 8;

/** Maximum length of a new password, in characters. */
export const MAX_PASSWORD_CHARS = 128;

/** Maximum length of a code for two-factor authentication, in characters. */
export const MAX_CODE_CHARS = 100;

/** Maximum size of properties as JSON, in bytes. */
export const MAX_PROPERTIES_BYTES = 65_536;

/** Maximum number of tags or technologies. */
export const MAX_KEYWORDS = 32;

/** Maximum length of a tag or technology, in characters. */
export const MAX_KEYWORD_CHARS = 80;

/** Maximum length of the name of a field or choice of a kind, in characters. */
export const MAX_LABEL_CHARS = 80;

/** Maximum number of fields of a kind. */
export const MAX_KIND_FIELDS = 20;

/** Maximum number of choices of a field. */
export const MAX_KIND_CHOICES = 30;

/** Maximum nesting depth of properties. */
export const MAX_PROPERTIES_DEPTH = 32;

/** Maximum size of the text of a process, in bytes. */
export const MAX_PROCESS_BYTES = 262_144;

/** Maximum number of operations per request. */
export const MAX_OPERATIONS = 10_000;

/** Maximum number of selected items that a client announces. */
export const MAX_SELECTED_ITEMS = 100;

/** Maximum depth of an impact analysis, in relationships. */
export const MAX_IMPACT_DEPTH = 100;

/** Maximum length of an event type in a filter of the audit log, in characters. */
export const MAX_EVENT_TYPE_CHARS = 100;

/** Maximum size of an import by default, in bytes. */
export const MAX_IMPORT_BYTES = 33_554_432;
