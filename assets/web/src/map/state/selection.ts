/** Selection and focus on the map: keyboard navigation in reading order, by direction and along relationships. */
import type { Relationship } from '@/api/generated';
import { CONTAINS } from '@/core/containment/containment';
import { type Direction, neighborInDirection, readingOrder } from '@/core/scene/hitTest';
import { useWorkspace } from '@/workspace/store';
import { camera, useCamera } from './camera';
import { useInteraction } from './interaction';
import { currentRects, currentScene } from './scenes';
import { setSelection, useView } from './view';

/** The target of actions on a single component: the focused one if it is selected, otherwise the last selected one. */
export function targetComponent(): string | null {
  const { selectedComponents } = useView.getState();
  const { focused } = useInteraction.getState();
  if (focused && selectedComponents.has(focused)) return focused;
  return [...selectedComponents].at(-1) ?? null;
}

/** How long to wait for the element of a component that is being rendered, in milliseconds. */
const FOCUS_TIMEOUT = 2000;

/**
 * Focuses a component once it has an element; in the overview, focuses the canvas. Stops if the user begins to type
 * elsewhere.
 */
export function focusComponent(id: string | null): void {
  useInteraction.setState({ focused: id });
  const canvas = document.querySelector<HTMLElement>('[data-canvas]');
  const before = document.activeElement;
  const end = performance.now() + FOCUS_TIMEOUT;
  const attempt = () => {
    const element = id ? canvas?.querySelector<HTMLElement>(`[data-component="${CSS.escape(id)}"]`) : canvas;
    element?.focus({ preventScroll: true });
    const { activeElement } = document;
    const isTyping = activeElement !== before && activeElement?.matches('input, textarea, [contenteditable]');
    if (activeElement !== element && !isTyping && performance.now() < end) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

function selectAndReveal(id: string, adds = false): void {
  const { selectedComponents } = useView.getState();
  setSelection(adds ? [...selectedComponents, id] : [id]);
  camera.reveal(id);
  focusComponent(id);
}

/** Focuses the next component in reading order. Returns false at the end, so that the focus leaves the map. */
export function focusNext(step: 1 | -1): boolean {
  const order = readingOrder(currentScene(), currentRects());
  const { focused } = useInteraction.getState();
  const index = focused ? order.indexOf(focused) : -1;
  const next = index < 0 ? (step === 1 ? order[0] : undefined) : order[index + step];
  if (next === undefined) {
    useInteraction.setState({ focused: null });
    return false;
  }
  selectAndReveal(next);
  return true;
}

export function selectNeighbor(direction: Direction, adds = false): void {
  const from = targetComponent();
  const to = from ? neighborInDirection(currentScene(), currentRects(), from, direction) : firstInOrder();
  if (to) selectAndReveal(to, adds);
}

function firstInOrder(): string | undefined {
  return readingOrder(currentScene(), currentRects())[0];
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
  const lines = [...rows.relationship.values()].filter(
    ({ sourceId, targetId, typeId }) => (sourceId === id || targetId === id) && typeId !== CONTAINS,
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
  const { rows } = useWorkspace.getState();
  const { hidden } = currentScene();
  setSelection([...(rows?.component.keys() ?? [])].filter((id) => !hidden.has(id)));
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
