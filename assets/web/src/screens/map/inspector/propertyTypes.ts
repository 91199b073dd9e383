/** Value types of properties, and how to edit each type. */

export type PropertyType = 'text' | 'number' | 'boolean' | 'json';

export const PROPERTY_TYPES: readonly { id: PropertyType; name: string }[] = [
  { id: 'text', name: 'Text' },
  { id: 'number', name: 'Number' },
  { id: 'boolean', name: 'Yes or no' },
  { id: 'json', name: 'JSON' },
];

export function propertyType(value: unknown): PropertyType {
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  return 'json';
}

/** Formats the value as editable text. */
export function formatProperty(shape: PropertyType, value: unknown): string {
  return shape === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

/** Parses the text, which must be valid. */
export function parseProperty(shape: PropertyType, text: string): unknown {
  switch (shape) {
    case 'text':
      return text;
    case 'number':
      return Number(text);
    case 'boolean':
      return text === 'true';
    case 'json':
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
  }
}

/** The reason why a text is not a valid value of this type, if any. */
export function propertyProblem(shape: PropertyType, text: string): string | undefined {
  if (shape === 'number' && (text.trim() === '' || !Number.isFinite(Number(text)))) {
    return 'Enter a number, such as 12, -3 or 1.5.';
  }
  if (shape !== 'json') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `Invalid JSON: ${error instanceof Error ? error.message : 'syntax error'}. Enclose text in "quotes".`;
  }
}

/** Converts the value to another type as far as possible. */
export function convertProperty(shape: PropertyType, value: unknown): unknown {
  switch (shape) {
    case 'text':
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    case 'number': {
      const number = Number(value);
      return Number.isFinite(number) ? number : 0;
    }
    case 'boolean':
      return value === 'false' || value === 'no' ? false : Boolean(value);
    case 'json':
      return typeof value === 'string' && propertyProblem('json', value) === undefined
        ? JSON.parse(value)
        : [value];
  }
}

export function emptyProperty(shape: PropertyType): string {
  return { text: '', number: '0', boolean: 'true', json: '{}' }[shape];
}
