/** Selection and focus on the map: keyboard navigation in reading order, by direction and along relationships. */
import type { Relationship } from '@/api/generated';
import { CONTAINS } from '@/core/containment/containment';
import type { Rect } from '@/core/scene/geometry';
import {
  closestInDirection,
  connectedInDirection,
  type Direction,
  inReadingOrder,
} from '@/core/scene/hitTest';
import { useWorkspace } from '@/workspace/store';
import { useCamera } from './camera';
import { camera } from './framing';
import { useInteraction } from './interaction';
import { currentNotes, placedNote } from './notes';
import { currentRects, currentScene } from './scenes';
import { setSelection, useView } from './view';
import { shownRows } from './viewContents';

/** The target of actions on a single component: the focused one if it is selected, otherwise the last selected one. */
export function targetComponent(): string | null {
  const { selectedComponents } = useView.getState();
  const { focused } = useInteraction.getState();
  if (focused && selectedComponents.has(focused)) return focused;
  return [...selectedComponents].at(-1) ?? null;
}

/** The target of actions on a single note, like `targetComponent`. */
export function targetNote(): string | null {
  const { selectedNotes } = useView.getState();
  const { focusedNote } = useInteraction.getState();
  if (focusedNote && selectedNotes.has(focusedNote)) return focusedNote;
  return [...selectedNotes].at(-1) ?? null;
}

/** How long to wait for the element of an item that is being rendered, in milliseconds. */
const FOCUS_TIMEOUT = 2000;

/**
 * Focuses a component once it has an element; in the overview, focuses the canvas. Stops if the user begins to type
 * elsewhere.
 */
export function focusComponent(id: string | null): void {
  useInteraction.setState({ focused: id, focusedNote: null });
  focusElement(id && `[data-component="${CSS.escape(id)}"]`);
}

/** Like `focusComponent`, for a note. */
export function focusNote(id: string): void {
  useInteraction.setState({ focused: null, focusedNote: id });
  // In the overview, notes have no elements.
  focusElement(useCamera.getState().isOverview ? null : `[data-note="${CSS.escape(id)}"]`);
}

/** The attempt to focus the last requested element. It replaces those before it. */
let pendingFocus = 0;

function focusElement(selector: string | null): void {
  const canvas = document.querySelector<HTMLElement>('[data-canvas]');
  const before = document.activeElement;
  const end = performance.now() + FOCUS_TIMEOUT;
  const attempt = () => {
    const { activeElement } = document;
    if (activeElement !== before && activeElement?.matches('input, textarea, [contenteditable]')) return;
    const element = selector ? canvas?.querySelector<HTMLElement>(selector) : canvas;
    element?.focus({ preventScroll: true });
    if (document.activeElement !== element && performance.now() < end)
      pendingFocus = requestAnimationFrame(attempt);
  };
  cancelAnimationFrame(pendingFocus);
  pendingFocus = requestAnimationFrame(attempt);
}

/** A component or note on the map. */
interface MapItem {
  kind: 'component' | 'note';
  id: string;
  rect: Rect;
}

/** The items that the keyboard can reach. */
function mapItems(): MapItem[] {
  const rects = currentRects();
  const components = currentScene().nodes.map(
    ({ id }, at): MapItem => ({ kind: 'component', id, rect: rects[at] as Rect }),
  );
  const notes = currentNotes().map(({ note, rect }): MapItem => ({ kind: 'note', id: note.id, rect }));
  return [...components, ...notes];
}

function itemsInOrder(): MapItem[] {
  return inReadingOrder(mapItems().map((item) => ({ item, x: item.rect.x, y: item.rect.y }))).map(
    ({ item }) => item,
  );
}

function selectAndReveal({ kind, id }: MapItem, adds = false): void {
  const { selectedComponents, selectedNotes } = useView.getState();
  const [components, notes] = adds ? [selectedComponents, selectedNotes] : [[], []];
  if (kind === 'component') {
    setSelection([...components, id], [], notes);
    camera.reveal(id);
    focusComponent(id);
  } else {
    setSelection(components, [], [...notes, id]);
    camera.revealNote(id);
    focusNote(id);
  }
}

/** Focuses the next item in reading order. Returns false at the end, so that the focus leaves the map. */
export function focusNext(step: 1 | -1): boolean {
  const order = itemsInOrder();
  const { focused, focusedNote } = useInteraction.getState();
  const index = order.findIndex(({ kind, id }) => id === (kind === 'note' ? focusedNote : focused));
  const next = index < 0 ? (step === 1 ? order[0] : undefined) : order[index + step];
  if (next === undefined) {
    useInteraction.setState({ focused: null, focusedNote: null });
    return false;
  }
  selectAndReveal(next);
  return true;
}

/** Selects the closest connected component in a direction, or else the closest component or note. */
export function selectNeighbor(direction: Direction, adds = false): void {
  const items = mapItems();
  const [component, note] = [targetComponent(), targetNote()];
  const from = items.find(({ kind, id }) => id === (kind === 'note' ? note : component));
  if (!from) {
    const first = itemsInOrder()[0];
    if (first) selectAndReveal(first, adds);
    return;
  }
  const connected =
    from.kind === 'component'
      ? connectedInDirection(currentScene(), currentRects(), from.id, direction)
      : null;
  const to = connected
    ? items.find(({ kind, id }) => kind === 'component' && id === connected)
    : closestInDirection(
        from.rect,
        items.filter((item) => item !== from && !isFrame(item)),
        direction,
      );
  if (to) selectAndReveal(to, adds);
}

/** Whether an item surrounds others: a group or a frame. */
function isFrame({ kind, id }: MapItem): boolean {
  if (kind === 'note') return placedNote(id)?.note.kind === 'frame';
  const { nodes, indexOf } = currentScene();
  return nodes[indexOf.get(id) ?? -1]?.isGroup ?? false;
}

/** The component whose relationships are selected one by one. It keeps the focus. */
let relationshipOrigin: string | null = null;

/** Whether there is a component with relationships to select. */
export function canSelectNextRelationship(): boolean {
  return selectableRelationships() !== null;
}

function selectableRelationships(): { id: string; lines: readonly Relationship[] } | null {
  const { rows } = useWorkspace.getState();
  const { selectedRelationships } = useView.getState();
  const id = targetComponent() ?? (selectedRelationships.size === 1 ? relationshipOrigin : null);
  if (!rows || id === null) return null;
  const shown = shownRows();
  const drawnOn = (end: string) => shown?.lifted?.get(end) ?? end;
  const lines = [...(shown?.relationship.values() ?? [])].filter(
    ({ sourceId, targetId, typeId }) =>
      (drawnOn(sourceId) === id || drawnOn(targetId) === id) && typeId !== CONTAINS,
  );
  return lines.length > 0 ? { id, lines } : null;
}

/** Selects the next relationship of a component and announces it. */
export function selectNextRelationship(step: 1 | -1): void {
  const found = selectableRelationships();
  if (!found) return;
  const { id, lines } = found;
  relationshipOrigin = id;
  const { selectedRelationships } = useView.getState();
  const current = lines.findIndex((line) => selectedRelationships.has(line.id));
  const at =
    current < 0 ? (step === 1 ? 0 : lines.length - 1) : (current + step + lines.length) % lines.length;
  const line = lines[at] as Relationship;
  setSelection([], [line.id]);
  const name = (componentId: string) =>
    useWorkspace.getState().rows?.component.get(componentId)?.name ?? componentId;
  const what = line.label || line.typeId;
  useInteraction.setState({
    announcement: `${name(line.sourceId)} ${what} ${name(line.targetId)}: ${at + 1} of ${lines.length}`,
  });
}

export function selectAll(): void {
  const { nodes } = currentScene();
  setSelection(
    nodes.map(({ id }) => id),
    [],
    currentNotes().map(({ note }) => note.id),
  );
}

export function toggleGroup(id: string): void {
  const collapsed = new Set(useView.getState().collapsed);
  if (!collapsed.delete(id)) collapsed.add(id);
  useView.setState({ collapsed });
  // Hidden components cannot be selected.
  const { hidden } = currentScene();
  const { selectedComponents } = useView.getState();
  const left = [...selectedComponents].filter((componentId) => !hidden.has(componentId));
  if (left.length < selectedComponents.size) setSelection(left.length > 0 ? left : [id]);
  if (!useCamera.getState().isOverview) focusComponent(id);
}
