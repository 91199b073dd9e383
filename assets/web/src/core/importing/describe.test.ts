import { expect, test } from 'vitest';
import type { Catalogue, SyncField } from '@/api/generated';
import { countOfKind, fieldText, lastSyncedText, type Names } from './describe';
import { findingText } from './driftText';

const names: Names = {
  catalogue: {
    componentTypes: [{ id: 'database', name: 'Database' }],
    relationTypes: [],
  } as unknown as Catalogue,
  component: (id) => (id === 'shop' ? 'Web shop' : undefined),
};
const field = (name: string, map: unknown, source: unknown) =>
  ({ field: name, base: map, map, source, taken: 'source' }) as SyncField;

test('changes name the field and both values', () => {
  expect(fieldText(field('name', 'Pay', 'Payments'), names)).toBe('name: “Pay” → “Payments”');
  expect(fieldText(field('type', 'service', 'database'), names)).toBe('type: service → Database');
  expect(fieldText(field('parent', null, 'shop'), names)).toBe('group: nothing → “Web shop”');
  expect(fieldText(field('technology', [], ['Redis', 'Lua']), names)).toBe(
    'technology: nothing → Redis, Lua',
  );
  expect(fieldText(field('properties.replicas', 1, 3), names)).toBe('replicas: 1 → 3');
  expect(fieldText({ ...field('name', 'Pay', 'pay'), taken: 'map' }, names)).toBe(
    'name: stays “Pay” (in the files: “pay”)',
  );
});

test('shows the value at the last sync, unless only its hash is stored', () => {
  expect(lastSyncedText({ ...field('name', 'Pay', 'Payments'), base: 'P' }, names)).toBe('“P”');
  expect(lastSyncedText({ ...field('parent', null, 'shop'), base: 'shop' }, names)).toBe('“Web shop”');
  expect(lastSyncedText({ ...field('name', 'Pay', 'Payments'), base: null }, names)).toBe('nothing');
  const hash = { sha256: 'ab12' };
  expect(lastSyncedText({ ...field('description', 'A', 'B'), base: hash }, names)).toMatch(/long value/);
});

test('kinds have a plural', () => {
  expect(countOfKind('process', 1)).toBe('1 process');
  expect(countOfKind('process', 1200)).toBe('1,200 processes');
});

test('findings of the drift report tell what differs', () => {
  const base = { kind: 'component', id: 'pay', name: 'Pay', field: 'name', sourceValue: 'Payments' } as const;
  expect(findingText({ ...base, finding: 'differs', mapValue: 'Pay' }, names)).toBe(
    'name: “Pay” on the map, “Payments” in code',
  );
  const owners = { field: 'owner', sourceValue: ['team:pay'], mapValue: ['person:ada', 'team:core'] };
  expect(findingText({ ...base, ...owners, finding: 'differs' }, names)).toBe(
    'owner: ada, core on the map, pay in code',
  );
  const two = { source: 'a.yaml', otherSource: 'b.yaml', otherValue: 'Billing' };
  expect(findingText({ ...base, ...two, finding: 'sourcesDiffer' }, names)).toBe(
    'name: “Payments” in a.yaml, “Billing” in b.yaml',
  );
  expect(findingText({ finding: 'unowned', kind: 'component', id: 'pay', name: 'Pay' }, names)).toBe('');
});
