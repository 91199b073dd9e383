/** A kind of the organization while it is edited in a form. */
import type { ComponentKind, FieldType, KindField, NewComponentKind } from '@/api/generated';
import { MAX_KIND_CHOICES, MAX_KIND_FIELDS, MAX_LABEL_CHARS } from '@/core/limits';
import { nameProblem, textProblem } from './validation';

export interface KindDraft {
  name: string;
  baseType: string;
  color: string;
  icon: string;
  /** `''` for none. */
  logo: string;
  description: string;
  fields: readonly FieldDraft[];
}

export interface FieldDraft {
  /** Identifies the row of the form. */
  row: number;
  /** The property of an existing field; `''` for a new field, whose property follows from its name. */
  key: string;
  name: string;
  type: FieldType;
  /** One choice per line. */
  choices: string;
}

export const FIELD_TYPES: readonly { id: FieldType; name: string }[] = [
  { id: 'text', name: 'Text' },
  { id: 'number', name: 'Number' },
  { id: 'boolean', name: 'Yes or no' },
  { id: 'date', name: 'Date' },
  { id: 'url', name: 'Link' },
  { id: 'choice', name: 'Choice' },
];

/** Properties with another meaning. The server rejects them as fields. */
const RESERVED_KEYS = new Set(['kind', 'lifecycle']);

export function newFieldDraft(row: number): FieldDraft {
  return { row, key: '', name: '', type: 'text', choices: '' };
}

export function draftOfKind({
  name,
  baseType,
  color,
  icon,
  logo,
  description,
  fields,
}: ComponentKind): KindDraft {
  return {
    name,
    baseType,
    color,
    icon,
    logo: logo ?? '',
    description: description ?? '',
    fields: fields.map(({ key, name, type, choices }, row) => ({
      row,
      key,
      name,
      type,
      choices: (choices ?? []).join('\n'),
    })),
  };
}

/** Derives the property of a field from its name, different from `taken`. */
export function fieldKey(name: string, taken: ReadonlySet<string>): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const plain = words.filter(Boolean).join('-').slice(0, 40).replace(/-$/, '');
  const base = /^[a-z]/.test(plain) ? plain : `field${plain && `-${plain}`}`;
  const isFree = (key: string) => !taken.has(key) && !RESERVED_KEYS.has(key);
  let key = base;
  for (let number = 2; !isFree(key); number++) key = `${base}-${number}`;
  return key;
}

/** The fields to send. New fields get properties that no other field has. */
export function fieldsOfDraft(fields: readonly FieldDraft[]): KindField[] {
  const taken = new Set(fields.map(({ key }) => key));
  return fields.map(({ key, name, type, choices }) => {
    const property = key || fieldKey(name, taken);
    taken.add(property);
    const field = { key: property, name: name.trim(), type };
    return type === 'choice' ? { ...field, choices: choicesOf(choices) } : field;
  });
}

export function choicesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** The body of the request. */
export function requestOfDraft(draft: KindDraft): Omit<NewComponentKind, 'id' | 'orgId'> & { logo: string } {
  const { name, baseType, color, icon, logo, description, fields } = draft;
  return {
    name: name.trim(),
    ...lookOf(baseType, icon),
    color,
    logo,
    description,
    fields: fieldsOfDraft(fields),
  };
}

/** The type and the icon, which the form takes from the catalog of the server. */
export function lookOf(baseType: string, icon: string): Pick<NewComponentKind, 'baseType' | 'icon'> {
  return {
    baseType: baseType as NewComponentKind['baseType'],
    icon: icon as NonNullable<NewComponentKind['icon']>,
  };
}

/** Problems of a draft by input: `name`, `description`, `fields`, `0.name`, `0.choices`, with the row of the field. */
export function draftProblems({ name, description, fields }: KindDraft): Map<string, string> {
  const problems = new Map<string, string>();
  const add = (input: string, problem: string | undefined) => problem && problems.set(input, problem);
  add('name', nameProblem(name));
  add('description', textProblem(description));
  if (fields.length > MAX_KIND_FIELDS) add('fields', `A kind can have ${MAX_KIND_FIELDS} fields.`);
  for (const { row, name, type, choices } of fields) {
    add(`${row}.name`, labelProblem(name));
    if (type === 'choice') add(`${row}.choices`, choicesProblem(choicesOf(choices)));
  }
  return problems;
}

function labelProblem(text: string): string | undefined {
  const label = text.trim();
  if (label === '') return 'Enter a name.';
  return [...label].length > MAX_LABEL_CHARS ? `Use at most ${MAX_LABEL_CHARS} characters.` : undefined;
}

function choicesProblem(choices: readonly string[]): string | undefined {
  if (choices.length === 0) return 'Enter at least one choice.';
  if (choices.length > MAX_KIND_CHOICES) return `Enter at most ${MAX_KIND_CHOICES} choices.`;
  const repeated = choices.find((choice, at) => choices.indexOf(choice) !== at);
  if (repeated) return `“${repeated}” is listed twice.`;
  return choices.map(labelProblem).find(Boolean);
}
