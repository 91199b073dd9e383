/** Edits of the open workspace from the map. Each is one change set and one entry of undo. */

import { CONTAINS, isSelfOrAncestor, withDescendants } from '@/core/containment/containment';
import { freeId, relationshipId } from '@/core/ids';
import { aligned, distributed, type Edge } from '@/core/layout/align';
import { type ClipboardContent, parseClipboard } from '@/core/layout/clipboard';
import { findFreePosition, findFreePositionBeside } from '@/core/layout/freePlace';
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

export const DEFAULT_COMPONENT_TYPE = 'service';
export const DEFAULT_RELATIONSHIP_TYPE = 'uses';

/** Milliseconds in which it is said once. */
const QUIET_MS = 4000;
let lastRefusal = Number.NEGATIVE_INFINITY;

/** Whether one may change anything. Who may only look is told so before anything begins. */
export function checkCanEdit(): boolean {
  if (canEdit()) return true;
  // A key that is held asks many times.
  if (performance.now() - lastRefusal < QUIET_MS) return false;
  lastRefusal = performance.now();
  showToast('You have view-only access. Ask an owner for edit access.');
  return false;
}

function edit(label: string, operations: readonly Operation[]): void {
  if (checkCanEdit()) write(label, operations);
}

function rows() {
  const { rows: now } = useWorkspace.getState();
  if (!now) throw new Error('No workspace is open.');
  return now;
}

function relationship(sourceId: string, targetId: string, typeId: string, taken: Set<string>): Operation {
  const fields = { sourceId, targetId, typeId };
  const id = relationshipId(fields, (one) => taken.has(one) || rows().relationship.has(one));
  taken.add(id);
  return { op: 'create', kind: 'relationship', id, fields };
}

/** Boxes are no obstacle to what is put into them. */
function occupiedRects(): Rect[] {
  const { nodes } = currentScene();
  return currentRects().filter((_, at) => !nodes[at]?.isGroup);
}

/** Adds the component of a draft, with its place in a box and its connection. Answers its id. */
export function addComponent({ at, parent, from }: ComponentDraft, name: string, typeId: string): string {
  const id = freeId(name, (one) => rows().component.has(one));
  const { x, y } = at;
  const ids = new Set<string>();
  const operations: Operation[] = [
    { op: 'create', kind: 'component', id, fields: { typeId, name: name.trim(), x, y } },
  ];
  if (parent) operations.push(relationship(parent, id, CONTAINS, ids));
  if (from) operations.push(relationship(from, id, DEFAULT_RELATIONSHIP_TYPE, ids));
  edit(`Add “${short(name)}”`, operations);
  setSelection([id]);
  return id;
}

/** Begins a component at a point, which is its middle; it is added when it has a name. */
export function startDraft(at: Point, parent: string | null, from: string | null = null): void {
  if (!checkCanEdit()) return;
  useInteraction.setState({
    draft: { at: findFreePosition({ x: at.x - 90, y: at.y - 32 }, occupiedRects()), parent, from },
  });
}

/** Begins a component beside another, connected with it. */
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

/** Connects two, and selects the line. What the server would not take is said at once. */
export function connect(from: string, to: string, typeId: string): void {
  const problem = typeId === CONTAINS ? containmentProblem(from, to) : undefined;
  if (problem) {
    showToast(problem);
    return;
  }
  const operation = relationship(from, to, typeId, new Set());
  edit('Connect', [operation]);
  if (operation.op === 'create' && typeId !== CONTAINS) setSelection([], [operation.id]);
}

function containmentProblem(from: string, to: string): string | undefined {
  const { parent } = currentScene().containment;
  const name = (id: string) => `“${short(rows().component.get(id)?.name ?? id)}”`;
  const above = parent.get(to);
  if (above !== undefined) {
    return `${name(to)} is already part of ${name(above)}. A component can be in one group only.`;
  }
  return isSelfOrAncestor(parent, to, from) ? `${name(to)} can’t contain itself.` : undefined;
}

/** Deletes what is selected. Parts of a box stay; lines go with their ends. */
export function deleteSelected(verb = 'Delete'): void {
  if (!checkCanEdit()) return;
  const { selectedComponents, selectedRelationships } = useView.getState();
  const { component, relationship: lines } = rows();
  const removed = [...selectedComponents].flatMap((id) => component.get(id) ?? []);
  // Lines of a component go with it on the server: deleting them too would only be refused.
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
      : sizeOf(removed.length, alone.length);
  edit(`${verb} ${what}`, operations);
  setSelection([]);
  useInteraction.setState({ focused: null });
}

function sizeOf(components: number, relationships: number): string {
  const parts = [
    components > 0 && formatCount(components, 'component'),
    relationships > 0 && formatCount(relationships, 'relationship'),
  ];
  return parts.filter(Boolean).join(' and ');
}

/** The positions of these components and of all inside them, moved by `by`. */
export function shiftedPositions(ids: Iterable<string>, by: Point): Map<string, Point> {
  const { component } = rows();
  const scene = currentScene();
  const places = new Map<string, Point>();
  for (const id of withDescendants(scene.containment, ids)) {
    const one = component.get(id);
    if (one) places.set(id, { x: one.x + by.x, y: one.y + by.y });
  }
  return places;
}

/** Saves the new positions of components. */
export function commitMoves(moves: readonly Move[], label?: string): void {
  const { component } = rows();
  const real = moves.filter(({ id, x, y }) => {
    const one = component.get(id);
    return one && (one.x !== x || one.y !== y);
  });
  if (real.length === 0) return;
  const first = component.get(real[0]?.id ?? '');
  const what = real.length === 1 && first ? `“${short(first.name)}”` : `${real.length} components`;
  edit(label ?? `Move ${what}`, [{ op: 'move', moves: real }]);
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

/** Brings what is selected into line. */
export function align(edge: Edge): void {
  commitRects(aligned(selectedPlaced(), edge), 'Align');
}

/** Makes the spaces between what is selected equal. */
export function distribute(axis: 'x' | 'y'): void {
  commitRects(distributed(selectedPlaced(), axis), 'Distribute');
}

/** A box goes where it should by moving all that is in it. */
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

/** What is selected with what is inside it, and the lines between, as text; none when nothing is. */
export function clipboardText(): string | null {
  const { component, relationship: lines } = rows();
  const ids = withDescendants(currentScene().containment, useView.getState().selectedComponents);
  if (ids.size === 0) return null;
  const clip: ClipboardContent = {
    planroom: 1,
    components: [...component.values()].filter(({ id }) => ids.has(id)),
    relationships: [...lines.values()].filter(
      ({ sourceId, targetId }) => ids.has(sourceId) && ids.has(targetId),
    ),
  };
  return JSON.stringify(clip, null, 2);
}

/** Adds the content of the clipboard, moved by `by`. Shows a message if the text is not usable. */
export function paste(text: string, by: Point = { x: 40, y: 40 }, verb = 'Paste'): void {
  if (!checkCanEdit()) return;
  const clip = parseClipboard(text);
  if (typeof clip === 'string') {
    showToast(clip);
    return;
  }
  const ids = new Map<string, string>();
  const used = new Set<string>();
  for (const { id, name } of clip.components) {
    const next = freeId(name, (one) => used.has(one) || rows().component.has(one));
    used.add(next);
    ids.set(id, next);
  }
  const lineIds = new Set<string>();
  const operations: Operation[] = clip.components.map(
    ({ id, typeId, name, description, x, y, properties }) => ({
      op: 'create',
      kind: 'component',
      id: ids.get(id) as string,
      fields: { typeId, name, ...(description ? { description } : {}), x: x + by.x, y: y + by.y, properties },
    }),
  );
  for (const { sourceId, targetId, typeId, label, properties } of clip.relationships) {
    const [source, target] = [ids.get(sourceId), ids.get(targetId)];
    if (!source || !target) continue;
    const made = relationship(source, target, typeId, lineIds);
    if (made.op === 'create') {
      operations.push({ ...made, fields: { ...made.fields, ...(label ? { label } : {}), properties } });
    }
  }
  edit(`${verb} ${formatCount(clip.components.length, 'component')}`, operations);
  setSelection(ids.values());
}

const MAX_SHOWN_NAME = 40;

function short(name: string): string {
  return truncate(name.trim(), MAX_SHOWN_NAME);
}
