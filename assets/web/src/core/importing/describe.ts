/** The rows and fields of a preview as text. */
import type { Catalogue, SyncField, SyncKind } from '@/api/generated';
import { truncate } from '@/core/text';

export const KIND_NAMES: Readonly<Record<SyncKind, { one: string; many: string }>> = {
  component: { one: 'component', many: 'components' },
  relationship: { one: 'relationship', many: 'relationships' },
  stakeholder: { one: 'stakeholder', many: 'stakeholders' },
  link: { one: 'link', many: 'links' },
  process: { one: 'process', many: 'processes' },
  view: { one: 'view', many: 'views' },
};

export function countOfKind(kind: SyncKind, count: number): string {
  const { one, many } = KIND_NAMES[kind];
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

const PROPERTY = 'properties.';
const FIELD_NAMES: Readonly<Record<string, string>> = { parent: 'group' };

export function fieldName(field: string): string {
  return field.startsWith(PROPERTY) ? field.slice(PROPERTY.length) : (FIELD_NAMES[field] ?? field);
}

/** How values are looked up: types by id, groups by id. */
export interface Names {
  catalogue: Catalogue | undefined;
  component: (id: string) => string | undefined;
}

const MAX_VALUE_CHARS = 80;

export function valueText(field: string, value: unknown, names: Names): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (Array.isArray(value)) {
    // Owners are written as `team:ID` or `person:ID`.
    const items =
      field === 'owner' ? value.map((item) => String(item).replace(/^(team|person):/, '')) : value;
    return items.length === 0 ? 'nothing' : truncate(items.join(', '), MAX_VALUE_CHARS);
  }
  if (typeof value === 'object') return truncate(JSON.stringify(value), MAX_VALUE_CHARS);
  const text = String(value);
  if (field === 'parent') return `“${truncate(names.component(text) ?? text, MAX_VALUE_CHARS)}”`;
  if (field === 'type') {
    const { componentTypes = [], relationTypes = [] } = names.catalogue ?? {};
    return [...componentTypes, ...relationTypes].find(({ id }) => id === text)?.name ?? text;
  }
  return typeof value === 'string' ? `“${truncate(text, MAX_VALUE_CHARS)}”` : text;
}

/** What happens with a field that differs: `name: “A” → “B”`, or that the map keeps its value. */
export function fieldText({ field, map, source, taken }: SyncField, names: Names): string {
  const [now, next] = [valueText(field, map, names), valueText(field, source, names)];
  if (taken === 'source') return `${fieldName(field)}: ${now} → ${next}`;
  return `${fieldName(field)}: stays ${now} (in the files: ${next})`;
}

/** The value of a field as last synced. Of long values, only a hash is stored. */
export function lastSyncedText({ field, base }: SyncField, names: Names): string {
  const isHash = typeof base === 'object' && base !== null && 'sha256' in base;
  return isHash ? 'a long value, which is not stored' : valueText(field, base, names);
}
