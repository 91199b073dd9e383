/** What the table does to a workspace, as operations. */
import type { Component, Relationship } from '@/api/generated';
import { same } from '@/core/sync/merge';
import type { Fields, Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';

/** Changes what differs from the row as it was when the edit began; nothing when nothing does. */
export function updates(
  kind: 'component' | 'relationship',
  row: Component | Relationship,
  fields: Fields,
): Operation[] {
  const held = row as unknown as Fields;
  const changed = Object.entries(fields).filter(([field, value]) => !same(held[field], value));
  if (changed.length === 0) return [];
  return [
    {
      op: 'update',
      kind,
      id: row.id,
      fields: Object.fromEntries(changed),
      before: Object.fromEntries(changed.map(([field]) => [field, held[field]])),
      base: row.revision,
    },
  ];
}

export function removal(kind: 'component' | 'relationship', row: Component | Relationship): Operation {
  return { op: 'delete', kind, id: row.id, base: row.revision, fields: {} };
}

/** A new component, under everything that is there: nothing is moved, nothing covered. `at` counts those made together. */
export function creation(rows: Rows, id: string, fields: Fields, at = 0): Operation {
  return { op: 'create', kind: 'component', id, fields: { ...freePlace(rows, at), ...fields } };
}

const STEP = { x: 220, y: 110 };
const ACROSS = 8;

function freePlace({ component }: Rows, at: number): { x: number; y: number } {
  let left = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  for (const { x, y } of component.values()) {
    left = Math.min(left, x);
    bottom = Math.max(bottom, y);
  }
  const origin = component.size > 0 ? { x: left, y: bottom + 2 * STEP.y } : { x: 0, y: 0 };
  return { x: origin.x + (at % ACROSS) * STEP.x, y: origin.y + Math.floor(at / ACROSS) * STEP.y };
}

/** An id that says what it is of, and that nothing has yet. */
export function idFor(name: string, taken: { has: (id: string) => boolean }): string {
  const slug =
    name
      .normalize('NFKD')
      .toLowerCase()
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, 60)
      .replaceAll(/^-+|-+$/g, '') || 'component';
  if (!taken.has(slug)) return slug;
  for (let count = 2; ; count += 1) {
    const id = `${slug}-${count}`;
    if (!taken.has(id)) return id;
  }
}
