/**
 * Writes `src/core/limits.ts`: the limits of the server, from the OpenAPI document and the default configuration. Run it with
 * `npm run limits`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const LIMITS_FILE = 'src/core/limits.ts';

const CONFIGURATION = '../../config.example.toml';
const DOCUMENT = '../contracts/openapi.json';

/** Name of a constant, its description, and the keys that lead to its value in the document. */
const LIMITS: readonly [string, string, readonly (string | number)[]][] = [
  ['MAX_NAME_CHARS', 'Maximum length of a name, in characters.', schema('Name', 'maxLength')],
  ['MAX_TEXT_CHARS', 'Maximum length of a description or label, in characters.', schema('Text', 'maxLength')],
  [
    'MAX_DECISION_BYTES',
    'Maximum size of the text of a decision, in bytes.',
    schema('DecisionBody', 'maxLength'),
  ],
  ['MAX_COMMENT_CHARS', 'Maximum length of a comment, in characters.', schema('CommentText', 'maxLength')],
  [
    'MAX_MESSAGE_CHARS',
    'Maximum length of the message of an access request, in characters.',
    schema('Message', 'maxLength'),
  ],
  ['MAX_URL_CHARS', 'Maximum length of the URL of a link, in characters.', schema('WebAddress', 'maxLength')],
  [
    'MAX_SLUG_CHARS',
    'Maximum length of the slug of an organization, in characters.',
    schema('Slug', 'maxLength'),
  ],
  [
    'MIN_PASSWORD_CHARS',
    'Minimum length of a new password, in characters.',
    schema('NewPassword', 'minLength'),
  ],
  [
    'MAX_PASSWORD_CHARS',
    'Maximum length of a new password, in characters.',
    schema('NewPassword', 'maxLength'),
  ],
  [
    'MAX_CODE_CHARS',
    'Maximum length of a code for two-factor authentication, in characters.',
    schema('ChallengeVerification', 'properties', 'code', 'maxLength'),
  ],
  [
    'MAX_PROPERTIES_BYTES',
    'Maximum size of properties as JSON, in bytes.',
    schema('Properties', 'x-limits', 'maxBytes'),
  ],
  ['MAX_KEYWORDS', 'Maximum number of tags or technologies.', schema('Keywords', 'maxItems')],
  [
    'MAX_KEYWORD_CHARS',
    'Maximum length of a tag or technology, in characters.',
    schema('Keywords', 'items', 'maxLength'),
  ],
  [
    'MAX_LABEL_CHARS',
    'Maximum length of the name of a field or choice of a kind, in characters.',
    schema('Label', 'maxLength'),
  ],
  [
    'MAX_KIND_FIELDS',
    'Maximum number of fields of a kind.',
    schema('NewComponentKind', 'properties', 'fields', 'maxItems'),
  ],
  [
    'MAX_KIND_CHOICES',
    'Maximum number of choices of a field.',
    schema('KindField', 'properties', 'choices', 'maxItems'),
  ],
  [
    'MAX_PROPERTIES_DEPTH',
    'Maximum nesting depth of properties.',
    schema('Properties', 'x-limits', 'maxDepth'),
  ],
  [
    'MAX_PROCESS_BYTES',
    'Maximum size of the text of a process, in bytes.',
    schema('Mermaid', 'x-limits', 'maxBytes'),
  ],
  [
    'MAX_OPERATIONS',
    'Maximum number of operations per request.',
    schema('Operations', 'properties', 'operations', 'maxItems'),
  ],
  [
    'MAX_SELECTED_ITEMS',
    'Maximum number of selected items that a client announces.',
    schema('NewPresence', 'properties', 'selected', 'maxItems'),
  ],
  [
    'MAX_IMPACT_DEPTH',
    'Maximum depth of an impact analysis, in relationships.',
    parameter('/api/workspaces/{id}/impact', 'depth', 'maximum'),
  ],
  [
    'MAX_EVENT_TYPE_CHARS',
    'Maximum length of an event type in a filter of the audit log, in characters.',
    parameter('/api/admin/audit', 'kind', 'maxLength'),
  ],
];

function schema(...keys: string[]): string[] {
  return ['components', 'schemas', ...keys];
}

/** A keyword of the schema of a query parameter. */
function parameter(path: string, name: string, keyword: string): string[] {
  return ['paths', path, 'get', 'parameters', name, 'schema', keyword];
}

/** The value at these keys. An item of a list is found by its `name`. */
function valueAt(document: unknown, keys: readonly (string | number)[]): number {
  let value = document;
  for (const key of keys) {
    value = Array.isArray(value)
      ? value.find((item) => item.name === key)
      : (value as Record<string, unknown> | undefined)?.[key];
  }
  if (typeof value !== 'number') throw new Error(`The OpenAPI document has no limit at ${keys.join('.')}.`);
  return value;
}

/** A number of the default configuration. */
function configured(key: string): number {
  const [, value] = new RegExp(`^${key} = ([\\d_]+)$`, 'm').exec(readFileSync(CONFIGURATION, 'utf8')) ?? [];
  if (!value) throw new Error(`The default configuration has no number ${key}.`);
  return Number(value.replaceAll('_', ''));
}

/** The content of the file. */
export function limits(): string {
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const all = LIMITS.map(
    ([name, description, keys]) => [name, description, valueAt(document, keys)] as const,
  );
  const maxImport = ['MAX_IMPORT_BYTES', 'Maximum size of an import by default, in bytes.'] as const;
  const constants = [...all, [...maxImport, configured('bulk_body_bytes')] as const].map((limit) => {
    const [name, description, number] = limit;
    const value = String(number).replace(/\B(?=(\d{3})+$)/g, '_');
    return `/** ${description} */\nexport const ${name} = ${value};\n`;
  });
  return [
    '/** Limits of the server. Generated from the OpenAPI document and the default configuration by `npm run limits`; do not edit. */\n',
    ...constants,
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(LIMITS_FILE, limits());
