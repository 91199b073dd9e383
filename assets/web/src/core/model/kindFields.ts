/** Values of the fields of kinds: the server stores any value, so their types are checked here. */
import type { KindField } from '@/api/generated';

/** The text of a value in a field; values of other types are shown as they are. */
export function fieldText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Why a text cannot be the value of a field. An empty text is no value. */
export function fieldProblem({ type, choices }: KindField, text: string): string | undefined {
  const typed = text.trim();
  if (typed === '') return undefined;
  switch (type) {
    case 'number':
      return Number.isFinite(Number(typed)) ? undefined : 'Enter a number, such as 12 or 0.5.';
    case 'boolean':
      return parseBoolean(typed) === undefined ? 'Enter yes or no.' : undefined;
    case 'date':
      return isDate(typed) ? undefined : 'Enter a date in the form 2026-11-30.';
    case 'url':
      return fieldLink(typed) ? undefined : 'Enter an address that starts with https:// or http://.';
    case 'choice':
      return choices?.includes(typed) ? undefined : `Choose one of: ${(choices ?? []).join(', ')}.`;
    case 'text':
      return undefined;
  }
}

/** The values to choose from, and their names; undefined if any text can be entered. */
export function fieldOptions({
  type,
  choices,
}: KindField): readonly { id: string; name: string }[] | undefined {
  if (type === 'choice') return (choices ?? []).map((id) => ({ id, name: id }));
  if (type !== 'boolean') return undefined;
  return [
    { id: 'true', name: 'Yes' },
    { id: 'false', name: 'No' },
  ];
}

/** The value of a text without a problem; undefined removes it. */
export function parseField({ type }: KindField, text: string): unknown {
  const typed = text.trim();
  if (typed === '') return undefined;
  if (type === 'number') return Number(typed);
  if (type === 'boolean') return parseBoolean(typed);
  return type === 'text' ? text : typed;
}

/** Whether a stored value has the type of the field. */
export function hasFieldType(field: KindField, value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (field.type === 'number') return typeof value === 'number';
  if (field.type === 'boolean') return typeof value === 'boolean';
  return typeof value === 'string' && fieldProblem(field, value) === undefined;
}

/** The address of a value, if it can be opened. */
export function fieldLink(value: unknown): string | undefined {
  if (typeof value !== 'string' || /\s/.test(value.trim())) return undefined;
  const url = URL.parse(value.trim());
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  if (/^(true|yes)$/i.test(text)) return true;
  return /^(false|no)$/i.test(text) ? false : undefined;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // The 30th of February would become the 2nd of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
