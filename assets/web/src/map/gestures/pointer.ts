/**
 * What a pointer does on the canvas. What a hand begins on (a component, a line, a handle, nothing) decides which
 * gesture it is; panning and zooming are left to the canvas itself.
 */

import { openInspector } from '@/actions/view';
import { withParts } from '@/core/containment/containment';
import { around, inflated, overlap, type Point, type Rect, spanned } from '@/core/scene/geometry';
import { boxAt, lineAt, nodeAt, nodesIn } from '@/core/scene/hitTest';
import { type Guide, snapped } from '@/core/scene/snap';
import { canEdit } from '@/workspace/model';
import { commitMoves, draftAt, mayEdit, shifted } from '../edits/edits';
import { look, toMap, useCamera, visible } from '../state/camera';
import { letGo, useHold } from '../state/interaction';
import { currentPlaces, currentScene } from '../state/scenes';
import { select, useView } from '../state/view';

interface Gesture {
  move(point: Point, event: PointerEvent): void;
  end(point: Point, event: PointerEvent): void;
  /** A press without a drag. */
  click?(point: Point, event: PointerEvent): void;
  /** Whether the canvas may pan with it. */
  pans: boolean;
}

/** Pixels that a pointer may tremble. */
const TREMBLE = 4;
/** How near, in pixels, a line is met. */
export const REACH = 6;
/** Pixels within which a neighbour attracts. */
const ATTRACTION = 6;

/** Binds the gestures to the canvas. Answers how to take them off. */
export function mountHands(canvas: HTMLElement): () => void {
  let gesture: Gesture | null = null;
  let pointerId = 0;
  let isTouched = false;
  let start: Point = { x: 0, y: 0 };
  let hasMoved = false;
  let last: PointerEvent | null = null;
  let drift = 0;
  const signal = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    capture = true,
  ) => canvas.addEventListener(name, handle, { capture, signal: signal.signal });

  const finish = () => {
    cancelAnimationFrame(drift);
    drift = 0;
    gesture = null;
    last = null;
  };

  on('pointerdown', (event) => {
    if (isOther(event.target) || (event.button !== 0 && event.pointerType === 'mouse')) return;
    if (gesture) {
      // A second finger: the map is pinched, nothing is moved.
      if (!gesture.pans) letGo();
      return finish();
    }
    start = { x: event.clientX, y: event.clientY };
    hasMoved = false;
    pointerId = event.pointerId;
    isTouched = event.pointerType === 'touch';
    gesture = begin(event);
    if (gesture.pans) return;
    canvas.setPointerCapture(event.pointerId);
  });

  // The canvas pans by these; what is a gesture of ours it must not see.
  for (const name of ['mousedown', 'touchstart'] as const) {
    on(name, (event) => {
      if (gesture && !gesture.pans) event.stopPropagation();
    });
  }

  on('pointermove', (event) => {
    if (!gesture || event.pointerId !== pointerId) return;
    if (!hasMoved && Math.hypot(event.clientX - start.x, event.clientY - start.y) < TREMBLE) return;
    hasMoved = true;
    last = event;
    if (gesture.pans) return;
    gesture.move(toMap({ x: event.clientX, y: event.clientY }), event);
    if (!drift) drift = requestAnimationFrame(follow);
  });

  /** At the border the map moves on under a gesture. */
  const follow = () => {
    drift = 0;
    if (!gesture || !last) return;
    const by = pull(canvas.getBoundingClientRect(), last);
    if (by.x === 0 && by.y === 0) return;
    const { viewport } = useCamera.getState();
    look({ ...viewport, x: viewport.x + by.x, y: viewport.y + by.y });
    gesture.move(toMap({ x: last.clientX, y: last.clientY }), last);
    drift = requestAnimationFrame(follow);
  };

  on('pointerup', (event) => {
    if (!gesture || event.pointerId !== pointerId) return;
    const done = gesture;
    finish();
    const point = toMap({ x: event.clientX, y: event.clientY });
    if (hasMoved) done.end(point, event);
    else done.click?.(point, event);
  });

  on('pointercancel', () => {
    if (gesture && !gesture.pans) letGo();
    finish();
  });

  on('dblclick', (event) => {
    if (isOther(event.target)) return;
    const point = toMap({ x: event.clientX, y: event.clientY });
    const node = nodeAt(currentScene(), currentPlaces(), point);
    if (node) return openComponent(node.id, isTouched);
    if (lineAt(currentScene(), currentPlaces(), point, REACH / useCamera.getState().viewport.zoom)) {
      return useView.setState({ inspectorOpen: true, historyOpen: false });
    }
    draftAt(point, boxAt(currentScene(), currentPlaces(), point)?.id ?? null);
  });

  let hover = 0;
  on('pointermove', (event) => {
    if (gesture || hover || event.pointerType !== 'mouse') return;
    hover = requestAnimationFrame(() => {
      hover = 0;
      if (event.buttons === 0) hoverOver(canvas, event);
    });
  });

  // Esc gives back what is on its way.
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !gesture) return;
    finish();
    letGo();
    event.stopPropagation();
  };
  window.addEventListener('keydown', cancel, { capture: true, signal: signal.signal });

  return () => {
    cancelAnimationFrame(drift);
    cancelAnimationFrame(hover);
    signal.abort();
  };
}

/** Things on the canvas that have hands of their own. */
export function isOther(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, input, select, a, [data-own-hands]') !== null;
}

/** A field that takes the focus brings up a keyboard where there is none: who touches wants to read first. */
function openComponent(id: string, isTouched: boolean): void {
  select([id]);
  if (isTouched) useView.setState({ inspectorOpen: true, historyOpen: false });
  else openInspector();
}

function begin(event: PointerEvent): Gesture {
  const { tool, selectedComponents } = useView.getState();
  const point = toMap({ x: event.clientX, y: event.clientY });
  const handle = event.target instanceof Element ? event.target.closest('[data-handle]') : null;
  const from = handle?.getAttribute('data-handle');
  if (useHold.getState().preview) return { ...PAN, click: () => {} };
  if (tool === 'hand') return { ...PAN, click: clickOn };
  if (from) return canEdit() ? wire(from) : REFUSED;
  const node = nodeAt(currentScene(), currentPlaces(), point);
  if (node) {
    // A finger moves what was chosen before; on anything else it pans.
    if (event.pointerType === 'touch' && !selectedComponents.has(node.id)) return { ...PAN, click: clickOn };
    return canEdit() ? drag(node.id, point) : REFUSED;
  }
  return event.shiftKey ? frame(point) : { ...PAN, click: clickOn };
}

const PAN: Gesture = { pans: true, move() {}, end() {} };

/** Who may only look is told so by the first try; a click still selects. */
const REFUSED: Gesture = { pans: false, move() {}, end: () => void mayEdit(), click: clickOn };

function clickOn(point: Point, event: PointerEvent): void {
  const scene = currentScene();
  const node = nodeAt(scene, currentPlaces(), point);
  const lines = node
    ? null
    : lineAt(scene, currentPlaces(), point, REACH / useCamera.getState().viewport.zoom);
  const { selectedComponents, selectedRelationships } = useView.getState();
  const adds = event.shiftKey || event.ctrlKey || event.metaKey;
  useHold.setState({ focused: node?.id ?? null });
  if (!adds) select(node ? [node.id] : [], lines ?? []);
  else if (node) select(toggled(selectedComponents, [node.id]), selectedRelationships);
  else if (lines) select(selectedComponents, toggled(selectedRelationships, lines));
}

function toggled(set: ReadonlySet<string>, ids: readonly string[]): Set<string> {
  const next = new Set(set);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  return next;
}

function drag(id: string, from: Point): Gesture {
  let ids: ReadonlySet<string> | null = null;
  let bounds: Rect | null = null;
  let near: readonly Rect[] = [];
  const prepare = (adds: boolean) => {
    const { selectedComponents, selectedRelationships } = useView.getState();
    if (!selectedComponents.has(id)) select(adds ? [...selectedComponents, id] : [id], selectedRelationships);
    ids = withParts(currentScene().family, useView.getState().selectedComponents);
    const scene = currentScene();
    const rects = currentPlaces();
    // What is in a box comes to rest on the grid, and the box around it.
    bounds = around(rects.filter((_, at) => !scene.nodes[at]?.isBox && ids?.has(scene.nodes[at]?.id ?? '')));
    const seen = inflated(visible(), 200);
    near = rects.filter(
      (rect, at) => !ids?.has(scene.nodes[at]?.id ?? '') && !scene.nodes[at]?.isBox && overlap(rect, seen),
    );
  };
  return {
    pans: false,
    click: clickOn,
    move(point, event) {
      if (!ids) prepare(event.shiftKey);
      if (!ids || !bounds) return;
      const wanted = { x: point.x - from.x, y: point.y - from.y };
      const reach = ATTRACTION / useCamera.getState().viewport.zoom;
      const { by, guides }: { by: Point; guides: readonly Guide[] } = event.altKey
        ? { by: { x: Math.round(wanted.x), y: Math.round(wanted.y) }, guides: [] }
        : snapped(bounds, wanted, near, reach);
      useHold.setState({ moving: shifted(ids, by), guides });
    },
    end() {
      const { moving } = useHold.getState();
      if (moving) commitMoves([...moving].map(([one, place]) => ({ id: one, ...place })));
      useHold.setState({ moving: null, guides: [] });
    },
  };
}

function frame(from: Point): Gesture {
  const before = useView.getState();
  return {
    pans: false,
    click: clickOn,
    move(point) {
      const rect = spanned(from, point);
      useHold.setState({ frame: rect });
      const found = nodesIn(currentScene(), currentPlaces(), rect);
      select([...before.selectedComponents, ...found], before.selectedRelationships);
    },
    end() {
      useHold.setState({ frame: null });
    },
  };
}

function wire(from: string): Gesture {
  const target = (point: Point) => nodeAt(currentScene(), currentPlaces(), point)?.id ?? null;
  return {
    pans: false,
    move(point) {
      useHold.setState({ wire: { from, to: point, target: target(point) } });
    },
    end(point, event) {
      useHold.setState({ wire: null });
      const to = target(point);
      if (to) useHold.setState({ joining: { from, to, at: { x: event.clientX, y: event.clientY } } });
      else draftAt(point, boxAt(currentScene(), currentPlaces(), point)?.id ?? null, from);
    },
  };
}

function hoverOver(canvas: HTMLElement, event: PointerEvent): void {
  const point = toMap({ x: event.clientX, y: event.clientY });
  const scene = currentScene();
  const rects = currentPlaces();
  const { viewport } = useCamera.getState();
  const node = nodeAt(scene, rects, point);
  const over = node || viewport.zoom < 0.15 ? null : lineAt(scene, rects, point, REACH / viewport.zoom);
  const { hovered } = useHold.getState();
  if (over?.[0] !== hovered[0]) useHold.setState({ hovered: over ?? [] });
  canvas.dataset.over = node ? 'component' : over ? 'line' : '';
}

/** How far the map moves on in a frame with the pointer near its border. */
function pull({ left, top, right, bottom }: DOMRect, { clientX, clientY }: PointerEvent): Point {
  const edge = 28;
  const speed = (near: number) => Math.min(Math.max(edge - near, 0), edge) * 0.5;
  return {
    x: speed(clientX - left) - speed(right - clientX),
    y: speed(clientY - top) - speed(bottom - clientY),
  };
}
