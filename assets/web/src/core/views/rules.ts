/** The rules of a view while they are edited. */
import type { Selector, ViewDefinition } from '../sync/viewRows';

export type Condition = keyof Selector;

/** The names of the conditions, in the order of the menu. */
const NAMES: Readonly<Record<Condition, string>> = {
  ids: 'Components',
  types: 'Type',
  kinds: 'Kind',
  lifecycle: 'Lifecycle',
  tags: 'Tag',
  technology: 'Technology',
  within: 'Inside group',
  around: 'Connected to',
  owners: 'Owner',
  teams: 'Team',
  roles: 'Role',
  text: 'Text',
  properties: 'Property',
};

export const CONDITIONS = (Object.keys(NAMES) as Condition[]).map((key) => ({ key, name: NAMES[key] }));

/** The value with which a condition begins. */
export function emptyCondition(key: Condition): Selector {
  if (key === 'text') return { text: '' };
  if (key === 'properties') return { properties: {} };
  if (key === 'around') return { around: { of: [], direction: 'both', depth: 1, relationTypes: null } };
  return { [key]: [] };
}

/** Without empty conditions and rules, which the server refuses. */
export function withoutEmptyRules(definition: ViewDefinition): ViewDefinition {
  const clean = (selectors: readonly Selector[]) =>
    selectors.map(withoutEmptyConditions).filter((selector) => Object.keys(selector).length > 0);
  return { ...definition, include: clean(definition.include), exclude: clean(definition.exclude) };
}

function withoutEmptyConditions(selector: Selector): Selector {
  return Object.fromEntries(Object.entries(selector).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'object' && 'of' in value) return isEmpty(value.of);
  return Object.keys(value).every((name) => name === '');
}

/** Reads the value of a property as it is typed: numbers and booleans are not texts. */
export function parsePropertyValue(text: string): string | number | boolean {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
}

/** Removes a condition. */
export function withoutCondition(selector: Selector, key: Condition): Selector {
  const { [key]: _, ...rest } = selector;
  return rest;
}
