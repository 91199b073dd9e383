/** Edits of the open workspace from the map. Each edit is one change set and one undo step. */

import { CONTAINS, withDescendants } from '@/core/containment/containment';
import { freeId, relationshipId } from '@/core/ids';
import { aligned, distributed, type Edge } from '@/core/layout/align';
import { findFreePosition, findFreePositionBeside } from '@/core/layout/freePosition';
import { moveWaypoints } from '@/core/layout/lineEdits';
import type { Point, Rect } from '@/core/scene/geometry';
import { DIRECTION_STEP, type Direction } from '@/core/scene/hitTest';
import type { Move, Operation } from '@/core/sync/operation';
import { formatCount, truncate } from '@/core/text';
import { showToast } from '@/ui/Toasts';
import { canEdit } from '@/workspace/model';
import { useWorkspace, edit as write } from '@/workspace/store';
import { type ComponentDraft, useInteraction } from '../state/interaction';
import { currentRects, currentScene } from '../state/scenes';
import { setSelection, useView } from '../state/view';
import { newRelationshipType } from './relationshipType';

export const DEFAULT_COMPONENT_TYPE = 'service';

/** Minimum interval between two messages. */
const VIEW_ONLY_MESSAGE_INTERVAL_MS = 4000;
let lastRefusal = Number.NEGATIVE_INFINITY;

/** Whether the user can edit; otherwise shows a message. */
export function checkCanEdit(): boolean {
  if (canEdit()) return true;
  // Repeated key events must not repeat the message.
  if (performance.now() - lastRefusal < VIEW_ONLY_MESSAGE_INTERVAL_MS) return false;
  lastRefusal = performance.now();
  showToast('You have view-only access. Ask an owner for edit access.');
  return false;
}

export function edit(label: string, operations: readonly Operation[]): void {
  if (checkCanEdit()) write(label, operations);
}

export function rows() {
  const { rows: now } = useWorkspace.getState();
  if (!now) throw new Error('No workspace is open.');
  return now;
}

/** The operation that adds a relationship. Adds its ID to `taken`. */
export function relationship(
  sourceId: string,
  targetId: string,
  typeId: string,
  taken: Set<string>,
): Operation {
  const fields = { sourceId, targetId, typeId };
  const id = relationshipId(
    fields,
    (candidate) => taken.has(candidate) || rows().relationship.has(candidate),
  );
  taken.add(id);
  return { op: 'create', kind: 'relationship', id, fields };
}

/** Groups are not obstacles for components that are placed inside them. */
function occupiedRects(): Rect[] {
  const { nodes } = currentScene();
  return currentRects().filter((_, at) => !nodes[at]?.isGroup);
}

/** Creates the component of a draft, with its group and connection. Returns its ID. */
export function addComponent({ at, parent, from }: ComponentDraft, name: string, typeId: string): string {
  const id = freeId(name, (candidate) => rows().component.has(candidate));
  const { x, y } = at;
  const ids = new Set<string>();
  const operations: Operation[] = [
    { op: 'create', kind: 'component', id, fields: { typeId, name: name.trim(), x, y } },
  ];
  if (parent) operations.push(relationship(parent, id, CONTAINS, ids));
  if (from) operations.push(relationship(from, id, newRelationshipType(), ids));
  edit(`Add “${short(name)}”`, operations);
  setSelection([id]);
  return id;
}

/** Opens the editor of a new component, centered at a point. The component is created when it is named. */
export function startDraft(at: Point, parent: string | null, from: string | null = null): void {
  if (!checkCanEdit()) return;
  useInteraction.setState({
    draft: { at: findFreePosition({ x: at.x - 90, y: at.y - 32 }, occupiedRects()), parent, from },
  });
}

/** Opens the editor of a new component next to another one, to be connected to it. */
export function startDraftBeside(id: string, direction: Direction): void {
  if (!checkCanEdit()) return;
  const scene = currentScene();
  const rect = currentRects()[scene.indexOf.get(id) ?? -1];
  if (!rect) return;
  const at = findFreePositionBeside(rect, DIRECTION_STEP[direction], occupiedRects());
  useInteraction.setState({ draft: { at, parent: scene.containment.parent.get(id) ?? null, from: id } });
}

export function rename(id: string, name: string): void {
  const component = rows().component.get(id);
  if (!component || component.name === name.trim()) return;
  edit(`Rename “${short(component.name)}”`, [
    {
      op: 'update',
      kind: 'component',
      id,
      fields: { name: name.trim() },
      before: { name: component.name },
      base: component.revision,
    },
  ]);
}

/** Deletes the selection. Components in a deleted group are kept. Relationships are deleted with their ends. */
export function deleteSelected(verb = 'Delete'): void {
  if (!checkCanEdit()) return;
  const { selectedComponents, selectedRelationships } = useView.getState();
  const { component, relationship: lines } = rows();
  const removed = [...selectedComponents].flatMap((id) => component.get(id) ?? []);
  // The server deletes relationships with their components and would reject deleting them separately.
  const cut = [...selectedRelationships].flatMap((id) => lines.get(id) ?? []);
  const alone = cut.filter(
    ({ sourceId, targetId }) => !selectedComponents.has(sourceId) && !selectedComponents.has(targetId),
  );
  const operations: Operation[] = [
    ...alone.map(
      ({ id, revision }): Operation => ({
        op: 'delete',
        kind: 'relationship',
        id,
        base: revision,
        fields: {},
      }),
    ),
    ...removed.map(
      ({ id, revision }): Operation => ({ op: 'delete', kind: 'component', id, base: revision, fields: {} }),
    ),
  ];
  if (operations.length === 0) return;
  const first = removed[0];
  const what =
    removed.length === 1 && alone.length === 0 && first
      ? `“${short(first.name)}”`
      : describeCount(removed.length, alone.length);
  edit(`${verb} ${what}`, operations);
  setSelection([]);
  useInteraction.setState({ focused: null });
}

function describeCount(components: number, relationships: number): string {
  const parts = [
    components > 0 && formatCount(components, 'component'),
    relationships > 0 && formatCount(relationships, 'relationship'),
  ];
  return parts.filter(Boolean).join(' and ');
}

/** The positions of components and their descendants, shifted by `by`. */
export function shiftedPositions(ids: Iterable<string>, by: Point): Map<string, Point> {
  const { component } = rows();
  const scene = currentScene();
  const places = new Map<string, Point>();
  for (const id of withDescendants(scene.containment, ids)) {
    const position = component.get(id);
    if (position) places.set(id, { x: position.x + by.x, y: position.y + by.y });
  }
  return places;
}

/** Saves the new positions of components. */
export function commitMoves(moves: readonly Move[], label?: string): void {
  const { component } = rows();
  const real = moves.filter(({ id, x, y }) => {
    const position = component.get(id);
    return position && (position.x !== x || position.y !== y);
  });
  if (real.length === 0) return;
  const first = component.get(real[0]?.id ?? '');
  const what = real.length === 1 && first ? `“${short(first.name)}”` : `${real.length} components`;
  edit(label ?? `Move ${what}`, [{ op: 'move', moves: real }, ...moveWaypoints(rows(), real)]);
}

function selectedPlaced() {
  const scene = currentScene();
  const rects = currentRects();
  return [...useView.getState().selectedComponents].flatMap((id) => {
    const at = scene.indexOf.get(id);
    const rect = at === undefined || scene.hidden.has(id) ? undefined : rects[at];
    return rect ? [{ id, rect }] : [];
  });
}

export function align(edge: Edge): void {
  commitRects(aligned(selectedPlaced(), edge), 'Align');
}

/** Equalizes the gaps between the selected components. */
export function distribute(axis: 'x' | 'y'): void {
  commitRects(distributed(selectedPlaced(), axis), 'Distribute');
}

/** Moves groups together with all components inside them. */
function commitRects(moves: readonly Move[], label: string): void {
  const scene = currentScene();
  const rects = currentRects();
  const all = new Map<string, Move>();
  for (const { id, x, y } of moves) {
    const rect = rects[scene.indexOf.get(id) ?? -1];
    if (!rect) continue;
    for (const [part, place] of shiftedPositions([id], { x: x - rect.x, y: y - rect.y }))
      all.set(part, { id: part, ...place });
  }
  commitMoves([...all.values()], label);
}

const MAX_SHOWN_NAME = 40;

export function short(name: string): string {
  return truncate(name.trim(), MAX_SHOWN_NAME);
}
