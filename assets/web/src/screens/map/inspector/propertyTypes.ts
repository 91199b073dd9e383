/** Kinds of values that a property can have, and how each is typed. */

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

/** The value as it is typed. */
export function formatProperty(shape: PropertyType, value: unknown): string {
  return shape === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

/** The value that was typed. Only asked where nothing stands against it. */
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

/** Why a text is no value of this kind. */
export function propertyProblem(shape: PropertyType, text: string): string | undefined {
  if (shape === 'number' && (text.trim() === '' || !Number.isFinite(Number(text)))) {
    return 'A number is written as 12, -3 or 1.5.';
  }
  if (shape !== 'json') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}. Texts stand in "quotes".`;
  }
}

/** The value as another kind, as near as it can be. */
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
