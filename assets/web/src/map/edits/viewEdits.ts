/** Writes edits through the open view: positions and lines into an own layout, new components into the rules. */
import type { RelationshipLine } from '@/api/generated';
import { buildModel } from '@/core/model/model';
import type { Point } from '@/core/scene/geometry';
import { applyOperation, type Operation } from '@/core/sync/operation';
import { type ViewDefinition, viewRowId } from '@/core/sync/viewRows';
import { updateView } from '@/core/views/edits';
import { layoutWrites } from '@/core/views/layoutWrites';
import { includeComponents } from '@/core/views/membership';
import { currentModel } from '@/workspace/model';
import type { PersonalFields } from '@/workspace/personalViews';
import { useWorkspace } from '@/workspace/store';
import type { PersonalChange } from '@/workspace/undoStack';
import { type OpenView, openView, type ViewArrangement } from '../state/openView';
import { arrangedRows, viewContents } from '../state/viewContents';
import { membersWith } from '../state/viewMembers';

/** What an edit on the map changes. */
interface Writes {
  /** The operations of the edit. */
  saved: readonly Operation[];
  /** The changes of a personal view, which is not a part of the workspace. */
  personal: readonly PersonalChange[];
}

/** Separates what an edit on the map changes in the open view from other changes. */
export function throughView(operations: readonly Operation[]): Writes {
  const open = openView();
  const rows = arrangedRows();
  if (!open || !rows) return { saved: operations, personal: [] };
  const { view, layout, isPersonal } = open;
  const definition = definitionWith(open, operations);
  const joined = definition ? { definition } : {};
  const {
    positions: moved,
    lines,
    model,
  } = layout
    ? layoutWrites(rows, operations)
    : { positions: NO_POSITIONS, lines: NO_LINES, model: operations };
  const positions = withFirstPositions(open, moved);
  if (isPersonal) {
    const fields = { ...joined, ...(layout ? arrangedFields(layout, positions, lines) : {}) };
    const isChanged = Object.keys(fields).length > 0;
    return { saved: model, personal: isChanged ? [{ viewId: view.id, fields }] : [] };
  }
  const members = definition ? updateView(view, joined) : [];
  return { saved: [...model, ...members, ...layoutOperations(open, positions, lines)], personal: [] };
}

const NO_POSITIONS: ReadonlyMap<string, Point> = new Map();
const NO_LINES: ReadonlyMap<string, RelationshipLine | null> = new Map();

/**
 * The first move in a view stores the positions of all members, because the others would otherwise be placed beside
 * those that have a position.
 */
function withFirstPositions(
  { layout }: OpenView,
  moved: ReadonlyMap<string, Point>,
): ReadonlyMap<string, Point> {
  const shown = viewContents()?.shown.component;
  if (!layout || !shown || moved.size === 0 || [...shown.keys()].some((id) => layout.places.has(id)))
    return moved;
  const first = [...shown].map(([id, { x, y }]): [string, Point] => [id, { x, y }]);
  return new Map([...first, ...moved]);
}

/** The operations that write positions and lines of a shared view. */
function layoutOperations(
  { view, layout }: OpenView,
  positions: ReadonlyMap<string, Point>,
  lines: ReadonlyMap<string, RelationshipLine | null>,
): Operation[] {
  const rows = useWorkspace.getState().rows?.['view-line'];
  const moves = [...positions].map(([id, { x, y }]) => ({ id, x, y }));
  return [
    ...(moves.length > 0 ? [{ op: 'move' as const, viewId: view.id, moves }] : []),
    ...[...lines].flatMap(([relationshipId, line]): Operation[] => {
      const id = viewRowId(view.id, relationshipId);
      if (line) return [{ op: 'put', kind: 'view-line', id, fields: { line } }];
      if (!layout?.lines.has(relationshipId)) return [];
      return [{ op: 'delete', kind: 'view-line', id, base: rows?.get(id)?.revision ?? 0, fields: {} }];
    }),
  ];
}

/** The positions and lines of a personal view with new ones. */
function arrangedFields(
  layout: ViewArrangement,
  positions: ReadonlyMap<string, Point>,
  lines: ReadonlyMap<string, RelationshipLine | null>,
): PersonalFields {
  const places = [...new Map([...layout.places, ...positions])];
  const all = [...new Map([...layout.lines, ...lines])];
  const fields: PersonalFields = {};
  if (positions.size > 0) fields.places = places.map(([componentId, at]) => ({ componentId, ...at }));
  if (lines.size > 0)
    fields.lines = all.flatMap(([relationshipId, line]) => (line ? [{ relationshipId, line }] : []));
  return fields;
}

/** The rules with the components that an edit creates; undefined if the rules include them already. */
function definitionWith({ view }: OpenView, operations: readonly Operation[]): ViewDefinition | undefined {
  const created = operations.flatMap((operation) =>
    operation.op === 'create' && operation.kind === 'component' ? [operation.id] : [],
  );
  const model = currentModel();
  if (created.length === 0 || !model) return undefined;
  const after = operations.reduce((rows, operation) => applyOperation(rows, operation), model.rows);
  const resolve = membersWith(buildModel(after, model.catalogue, model.customTypes, model.drift));
  const definition = includeComponents(view.definition, created, resolve);
  return JSON.stringify(definition) === JSON.stringify(view.definition) ? undefined : definition;
}
