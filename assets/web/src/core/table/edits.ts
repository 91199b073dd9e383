/** What the table does to a workspace, as operations. */
import type { Component, Relationship } from '@/api/generated';
import type { Fields, Operation } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';

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
