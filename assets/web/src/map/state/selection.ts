/** What is selected and what has the keyboard: by keys, one after the other and from neighbour to neighbour. */
import type { Relationship } from '@/api/generated';
import { CONTAINS } from '@/core/containment/containment';
import { type Direction, neighborInDirection, readingOrder } from '@/core/scene/hitTest';
import { useWorkspace } from '@/workspace/store';
import { camera, useCamera } from './camera';
import { useInteraction } from './interaction';
import { currentRects, currentScene } from './scenes';
import { setSelection, useView } from './view';

/** The one that is meant when only one can be: the one with the keyboard, if it is selected, else the last selected. */
export function targetComponent(): string | null {
  const { selectedComponents } = useView.getState();
  const { focused } = useInteraction.getState();
  if (focused && selectedComponents.has(focused)) return focused;
  return [...selectedComponents].at(-1) ?? null;
}

/** Gives a component the keyboard, as soon as there is an element for it; without one the canvas has it. */
export function focusComponent(id: string | null): void {
  useInteraction.setState({ focused: id });
  const canvas = document.querySelector<HTMLElement>('[data-canvas]');
  let tries = 0;
  const attempt = () => {
    const element = id ? canvas?.querySelector<HTMLElement>(`[data-component="${CSS.escape(id)}"]`) : canvas;
    element?.focus({ preventScroll: true });
    if ((!element || document.activeElement !== element) && tries++ < 40) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

/** Selects one and brings it into view. */
function selectAndReveal(id: string, adds = false): void {
  const { selectedComponents } = useView.getState();
  setSelection(adds ? [...selectedComponents, id] : [id]);
  camera.reveal(id);
  focusComponent(id);
}

/** To the next in reading order. Answers false at the end, where the keyboard goes on to what is beside the map. */
export function focusNext(step: 1 | -1): boolean {
  const order = readingOrder(currentScene(), currentRects());
  const { focused } = useInteraction.getState();
  const here = focused ? order.indexOf(focused) : -1;
  const next = here < 0 ? (step === 1 ? order[0] : undefined) : order[here + step];
  if (next === undefined) {
    useInteraction.setState({ focused: null });
    return false;
  }
  selectAndReveal(next);
  return true;
}

/** To the neighbour in a direction. */
export function selectNeighbor(direction: Direction, adds = false): void {
  const here = targetComponent();
  const to = here ? neighborInDirection(currentScene(), currentRects(), here, direction) : firstInOrder();
  if (to) selectAndReveal(to, adds);
}

function firstInOrder(): string | undefined {
  return readingOrder(currentScene(), currentRects())[0];
}

/** The component whose relationships are walked: it keeps the keyboard while they are selected one by one. */
let walkOrigin: string | null = null;

/** Whether there is a component to walk the relationships of. */
export function canSelectNextRelationship(): boolean {
  return relationshipWalk() !== null;
}

function relationshipWalk(): { id: string; lines: readonly Relationship[] } | null {
  const { rows } = useWorkspace.getState();
  const { selectedRelationships } = useView.getState();
  const id = targetComponent() ?? (selectedRelationships.size === 1 ? walkOrigin : null);
  if (!rows || id === null) return null;
  const lines = [...rows.relationship.values()].filter(
    ({ sourceId, targetId, typeId }) => (sourceId === id || targetId === id) && typeId !== CONTAINS,
  );
  return lines.length > 0 ? { id, lines } : null;
}

/** Selects the next relationship of a component, and says which it is. */
export function selectNextRelationship(step: 1 | -1): void {
  const found = relationshipWalk();
  if (!found) return;
  const { id, lines } = found;
  walkOrigin = id;
  const { selectedRelationships } = useView.getState();
  const here = lines.findIndex((line) => selectedRelationships.has(line.id));
  const at = here < 0 ? (step === 1 ? 0 : lines.length - 1) : (here + step + lines.length) % lines.length;
  const line = lines[at] as Relationship;
  setSelection([], [line.id]);
  const name = (one: string) => useWorkspace.getState().rows?.component.get(one)?.name ?? one;
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

/** Opens or closes a box. */
export function toggleGroup(id: string): void {
  const collapsed = new Set(useView.getState().collapsed);
  if (!collapsed.delete(id)) collapsed.add(id);
  useView.setState({ collapsed });
  // What was selected inside is not seen any more.
  const { hidden } = currentScene();
  const { selectedComponents } = useView.getState();
  const left = [...selectedComponents].filter((one) => !hidden.has(one));
  if (left.length < selectedComponents.size) setSelection(left.length > 0 ? left : [id]);
  if (!useCamera.getState().isOverview) focusComponent(id);
}
