/** Separates what an edit on the map changes in the layout of a view from what it changes in the model. */
import type { RelationshipLine } from '@/api/generated';
import type { Point } from '../scene/geometry';
import type { Fields, Operation } from '../sync/operation';
import type { Rows } from '../sync/rows';

/** An edit of a view with an own layout. */
export interface LayoutWrites {
  /** The new positions of components in the view. */
  positions: ReadonlyMap<string, Point>;
  /** The new layouts of lines in the view; null for automatic. */
  lines: ReadonlyMap<string, RelationshipLine | null>;
  /** The operations on the model, which no longer write positions. */
  model: readonly Operation[];
}

/**
 * Separates positions and lines from the other fields. `rows` are the rows with the positions of the view. The server
 * finds a place on the map for new components.
 */
export function layoutWrites(rows: Pick<Rows, 'component'>, operations: readonly Operation[]): LayoutWrites {
  const positions = new Map<string, Point>();
  const lines = new Map<string, RelationshipLine | null>();
  const model = operations.flatMap((operation): Operation[] => {
    if (operation.op === 'move') {
      for (const { id, x, y } of operation.moves) positions.set(id, { x, y });
      return [];
    }
    if (operation.op === 'update' || operation.op === 'create') {
      return withoutLayout(rows, operation, positions, lines);
    }
    return [operation];
  });
  return { positions, lines, model };
}

type Write = Extract<Operation, { op: 'create' | 'update' }>;

function withoutLayout(
  rows: Pick<Rows, 'component'>,
  operation: Write,
  positions: Map<string, Point>,
  lines: Map<string, RelationshipLine | null>,
): Operation[] {
  const { kind, id, fields } = operation;
  if (kind === 'component' && ('x' in fields || 'y' in fields)) {
    // An update contains only changed fields: a group resized at its top changes only one coordinate.
    const { x = 0, y = 0 } = rows.component.get(id) ?? {};
    positions.set(id, { x: Number(fields.x ?? x), y: Number(fields.y ?? y) });
    return without(operation, ['x', 'y']);
  }
  if (kind === 'relationship' && 'line' in fields) {
    lines.set(id, (fields.line ?? null) as RelationshipLine | null);
    return without(operation, ['line']);
  }
  return [operation];
}

function without(operation: Write, names: readonly string[]): Operation[] {
  const kept = (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  const fields = kept(operation.fields);
  if (operation.op === 'create') return [{ ...operation, fields }];
  return Object.keys(fields).length > 0 ? [{ ...operation, fields, before: kept(operation.before) }] : [];
}
