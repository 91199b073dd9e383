/** Texts for invalid fields of a request. */
import type { ErrorBody, ProblemBody } from './generated';

/** The path of a field: names of fields, and positions in lists. */
export type FieldPath = NonNullable<ErrorBody['path']>;

/** What is wrong with a field, without its name. */
export function problemText({ kind, message, min = 0, max = 0, actual = 0 }: ProblemBody): string {
  if (kind === 'tooShort' && min === 1) return 'must not be empty';
  if (kind !== 'tooLong') return message;
  return `must have at most ${group(max)} characters, has ${group(actual)}. Remove ${group(actual - max)}.`;
}

/** A path as the server writes it, such as `components[3].name`. */
export function pathText(path: FieldPath): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
}

function group(count: number): string {
  return count.toLocaleString('en');
}
