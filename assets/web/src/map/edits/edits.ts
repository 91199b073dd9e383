/** Edits of the open workspace from the map. Each edit is one change set and one undo step. */

import type { Note } from '@/api/generated';
import { CONTAINS, GROUP_TYPE, withDescendants } from '@/core/containment/containment';
import { freeId } from '@/core/ids';
import { findFreePositionBeside } from '@/core/layout/freePosition';
import { expectedCardSize } from '@/core/layout/placeInGroup';
import { CUSTOM_TYPE_PROPERTY } from '@/core/model/customTypes';
import { addRelationship } from '@/core/model/parents';
import { noteLabel } from '@/core/noteLabel';
import { center, overlaps, type Point, type Rect } from '@/core/scene/geometry';
import { DIRECTION_STEP, type Direction, groupAt } from '@/core/scene/hitTest';
import { EMPTY_GROUP_SIZE, type Placement } from '@/core/scene/scene';
import { formatList } from '@/core/sync/describe';
import { type Move, type Operation, writtenRows } from '@/core/sync/operation';
import { formatCount, truncate } from '@/core/text';
import { showToast } from '@/ui/Toasts';
import { openBaseId, requestDraft } from '@/workspace/draftRequest';
import { canEdit } from '@/workspace/model';
import { changeWithEdit } from '@/workspace/personalUndo';
import { useWorkspace, edit as write } from '@/workspace/store';
import { visibleRect } from '../state/camera';
import { type ComponentDraft, useInteraction } from '../state/interaction';
import { committedRects, currentScene } from '../state/scenes';
import { setSelection, useView } from '../state/view';
import { arrangedRows, canArrange } from '../state/viewContents';
import { deletionOperations } from './deletion';
import { frameOfEmpty, placementOperations, storeFrames } from './frames';
import { notePlacements } from './noteMoves';
import { newRelationshipType } from './relationshipType';
import { expectedPlace, freePosition, isExpandedGroup, obstacles, rectOf } from './room';
import { throughView } from './viewEdits';

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
  if (useWorkspace.getState().past)
    showToast('A past version can’t be edited. Go back to the current version first.');
  else if (openBaseId() !== undefined) showToast('You can’t edit this draft.');
  else {
    showToast('You have view-only access. Ask an owner for edit access, or propose a change in a draft.', {
      label: 'Propose a change',
      run: requestDraft,
    });
  }
  return false;
}

/** Whether the user can move components; otherwise shows a message. */
export function checkCanArrange(): boolean {
  return canArrange() || checkCanEdit();
}

export function edit(label: string, operations: readonly Operation[]): void {
  if (operations.length === 0) return;
  // Moves in a personal view with own positions change nothing in the workspace.
  const isArranging = operations.every(({ op }) => op === 'move');
  if (!(isArranging ? checkCanArrange() : checkCanEdit())) return;
  const { saved, personal } = throughView(operations);
  changeWithEdit(write(label, saved), label, personal);
}

/** All rows of the workspace, with the positions and lines of the open view. */
export function rows() {
  const now = arrangedRows();
  if (!now) throw new Error('No workspace is open.');
  return now;
}

/** The operation that adds a relationship. Adds its ID to `taken`. */
export function relationship(sourceId: string, targetId: string, typeId: string, taken: Set<string>) {
  return addRelationship(rows(), { sourceId, targetId, typeId }, taken);
}

/**
 * Creates the component of a draft, with its group and connection. Returns its ID. `custom` is the property value of a
 * custom type.
 */
export function addComponent(
  { at, isPlaced = false, parent, from }: ComponentDraft,
  name: string,
  typeId: string,
  custom?: string,
): string {
  const id = freeId(name, (candidate) => rows().component.has(candidate));
  const size = typeId === GROUP_TYPE ? EMPTY_GROUP_SIZE : expectedCardSize(name.trim());
  const expected = isPlaced && parent !== null ? expectedPlace(parent, size) : null;
  // A group is larger than the card that the draft has room for.
  const { x, y } = expected ?? (typeId === GROUP_TYPE ? freePosition(parent, at, { size }) : at);
  const properties = custom ? { properties: { [CUSTOM_TYPE_PROPERTY]: custom } } : {};
  const ids = new Set<string>();
  const create = { op: 'create', kind: 'component', id } as const;
  const fields = { typeId, name: name.trim(), ...properties };
  const operations: Operation[] = [
    isPlaced ? { ...create, fields, place: { x, y } } : { ...create, fields: { ...fields, x, y } },
  ];
  if (parent) operations.push(relationship(parent, id, CONTAINS, ids));
  operations.push(...storeFrames(rows(), frameOfEmpty(parent)));
  if (from) operations.push(relationship(from, id, newRelationshipType(), ids));
  edit(`Add “${short(name)}”`, operations);
  setSelection([id]);
  return id;
}

/** Opens the editor of a new component, centered at a point. The component is created when it is named. */
export function startDraft(at: Point, parent: string | null, from: string | null = null): void {
  if (!checkCanEdit()) return;
  useInteraction.setState({
    draft: { at: freePosition(parent, { x: at.x - 90, y: at.y - 32 }), parent, from },
  });
}

/**
 * Opens the editor of a new component: in the selected group, or in the group of the selected component. If nothing in
 * the view is selected, in the center of the view. In a group, the server chooses the position.
 */
export function startDraftInView(): void {
  const view = visibleRect();
  const { containment } = currentScene();
  const [selected = '', ...others] = useView.getState().selectedComponents;
  const rect = others.length === 0 ? rectOf(selected) : undefined;
  if (!rect || !overlaps(rect, view)) {
    startPlacedDraft(center(view), groupAt(currentScene(), committedRects(), center(view))?.id ?? null);
    return;
  }
  const group = isExpandedGroup(selected) ? selected : (containment.parent.get(selected) ?? null);
  const frame = group === null ? view : rectOf(group);
  startPlacedDraft(center(frame ?? view), group);
}

/** Like `startDraft`, but in a group at the place that the server chooses, if there is room. */
function startPlacedDraft(wanted: Point, parent: string | null): void {
  const at = parent === null ? null : expectedPlace(parent);
  if (!at) startDraft(wanted, parent);
  else if (checkCanEdit()) useInteraction.setState({ draft: { at, isPlaced: true, parent, from: null } });
}

/** Opens the editor of a new component next to another one, to be connected to it. */
export function startDraftBeside(id: string, direction: Direction): void {
  if (!checkCanEdit()) return;
  const rect = rectOf(id);
  if (!rect) return;
  const parent = currentScene().containment.parent.get(id) ?? null;
  const at = findFreePositionBeside(rect, DIRECTION_STEP[direction], obstacles(parent));
  useInteraction.setState({ draft: { at, parent, from: id } });
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

/** Deletes the selection. */
export function deleteSelected(verb = 'Delete'): void {
  if (!checkCanEdit()) return;
  const { selectedComponents, selectedRelationships, selectedNotes } = useView.getState();
  const notes = [...selectedNotes].flatMap((id) => rows().note.get(id) ?? []);
  const operations = [
    ...deletionOperations(rows(), selectedComponents, selectedRelationships),
    ...notes.map(noteDeletion),
  ];
  const deleted = operations.filter(({ op }) => op === 'delete');
  if (deleted.length === 0) return;
  const noteIds = notes.map(({ id }) => id);
  edit(`${verb} ${describeDeleted(selectedComponents, selectedRelationships, noteIds)}`, operations);
  setSelection([]);
  useInteraction.setState({ focused: null, focusedNote: null });
}

/** A deletion is only a conflict if another user has changed the content of the note, not its position. */
function noteDeletion({ id, revision, kind, text, color }: Note): Operation {
  return { op: 'delete', kind: 'note', id, base: revision, fields: { kind, text, color } };
}

/** The only deleted item, or the numbers of items, without relationships that are deleted with their ends. */
function describeDeleted(
  components: ReadonlySet<string>,
  relationships: ReadonlySet<string>,
  notes: readonly string[],
): string {
  const { component, relationship: lines } = rows();
  const removed = [...components].flatMap((id) => component.get(id) ?? []);
  const alone = [...relationships]
    .flatMap((id) => lines.get(id) ?? [])
    .filter(({ sourceId, targetId }) => !components.has(sourceId) && !components.has(targetId));
  const [first] = removed;
  return removed.length === 1 && alone.length + notes.length === 0 && first
    ? `“${short(first.name)}”`
    : describeCount(removed.length, alone.length, notes);
}

export function describeCount(
  components: number,
  relationships: number,
  notes: readonly string[] = [],
): string {
  const [id] = notes;
  const only = notes.length === 1 && id !== undefined ? rows().note.get(id) : undefined;
  const parts = [
    components > 0 && formatCount(components, 'component'),
    relationships > 0 && formatCount(relationships, 'relationship'),
    notes.length > 0 && (only ? noteLabel(only) : formatCount(notes.length, 'note')),
  ];
  return formatList(parts.filter((part) => part !== false));
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
  commitPlacements(
    moves.map(({ id, x, y }) => [id, { x, y }]),
    label,
  );
}

/** Saves new positions and sizes of components and notes. */
export function commitPlacements(
  placements: Iterable<readonly [string, Placement]>,
  label?: string,
  notes: ReadonlyMap<string, Rect> = new Map(),
): void {
  const operations = [...placementOperations(rows(), placements), ...notePlacements(rows(), notes)];
  if (operations.length > 0) edit(label ?? `Move ${subject(operations)}`, operations);
}

/** The component or note that operations move, or their numbers. */
function subject(operations: readonly Operation[]): string {
  const written = [...new Set(operations.flatMap(writtenRows))];
  const notes = written.filter((row) => row.startsWith('note/')).map((row) => row.slice('note/'.length));
  const others = written.length - notes.length;
  const first = rows().component.get(written[0]?.slice('component/'.length) ?? '');
  if (written.length === 1 && first) return `“${short(first.name)}”`;
  return notes.length > 0 ? describeCount(others, 0, notes) : formatCount(others, 'component');
}

const MAX_SHOWN_NAME = 40;

export function short(name: string): string {
  return truncate(name.trim(), MAX_SHOWN_NAME);
}
