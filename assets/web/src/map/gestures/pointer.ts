/**
 * What a pointer does on the canvas. What a hand begins on (a component, a line, a handle, nothing) decides which
 * gesture it is; panning and zooming are left to the canvas itself.
 */

import { withDescendants } from '@/core/containment/containment';
import { boundingBox, expandRect, overlaps, type Point, type Rect, rectBetween } from '@/core/scene/geometry';
import { groupAt, lineAt, nodeAt, nodesIn } from '@/core/scene/hitTest';
import { type Guide, snap } from '@/core/scene/snap';
import { canEdit } from '@/workspace/model';
import { checkCanEdit, commitMoves, shiftedPositions, startDraft } from '../edits/edits';
import { setViewport, toMapPoint, useCamera, visibleRect } from '../state/camera';
import { cancelInteraction, useInteraction } from '../state/interaction';
import { openInspector } from '../state/panels';
import { currentRects, currentScene } from '../state/scenes';
import { setSelection, useView } from '../state/view';

interface PointerGesture {
  move(point: Point, event: PointerEvent): void;
  end(point: Point, event: PointerEvent): void;
  /** A press without a drag. */
  click?(point: Point, event: PointerEvent): void;
  /** Whether the canvas may pan with it. */
  pans: boolean;
}

/** Pixels that a pointer may tremble. */
const DRAG_THRESHOLD = 4;
/** How near, in pixels, a line is met. */
export const LINE_HIT_DISTANCE = 6;
/** Pixels within which a neighbour attracts. */
const SNAP_DISTANCE = 6;

/** Binds the gestures to the canvas. Answers how to take them off. */
export function mountPointerGestures(canvas: HTMLElement): () => void {
  let gesture: PointerGesture | null = null;
  let pointerId = 0;
  let isTouched = false;
  let start: Point = { x: 0, y: 0 };
  let hasMoved = false;
  let last: PointerEvent | null = null;
  let edgePanFrame = 0;
  const signal = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(
    name: K,
    handle: (event: HTMLElementEventMap[K]) => void,
    capture = true,
  ) => canvas.addEventListener(name, handle, { capture, signal: signal.signal });

  const finish = () => {
    cancelAnimationFrame(edgePanFrame);
    edgePanFrame = 0;
    gesture = null;
    last = null;
  };

  on('pointerdown', (event) => {
    if (isInteractiveElement(event.target) || (event.button !== 0 && event.pointerType === 'mouse')) return;
    if (gesture) {
      // A second finger: the map is pinched, nothing is moved.
      if (!gesture.pans) cancelInteraction();
      return finish();
    }
    start = { x: event.clientX, y: event.clientY };
    hasMoved = false;
    pointerId = event.pointerId;
    isTouched = event.pointerType === 'touch';
    gesture = startGesture(event);
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
    if (!hasMoved && Math.hypot(event.clientX - start.x, event.clientY - start.y) < DRAG_THRESHOLD) return;
    hasMoved = true;
    last = event;
    if (gesture.pans) return;
    gesture.move(toMapPoint({ x: event.clientX, y: event.clientY }), event);
    if (!edgePanFrame) edgePanFrame = requestAnimationFrame(follow);
  });

  /** At the border the map moves on under a gesture. */
  const follow = () => {
    edgePanFrame = 0;
    if (!gesture || !last) return;
    const by = edgePan(canvas.getBoundingClientRect(), last);
    if (by.x === 0 && by.y === 0) return;
    const { viewport } = useCamera.getState();
    setViewport({ ...viewport, x: viewport.x + by.x, y: viewport.y + by.y });
    gesture.move(toMapPoint({ x: last.clientX, y: last.clientY }), last);
    edgePanFrame = requestAnimationFrame(follow);
  };

  on('pointerup', (event) => {
    if (!gesture || event.pointerId !== pointerId) return;
    const done = gesture;
    finish();
    const point = toMapPoint({ x: event.clientX, y: event.clientY });
    if (hasMoved) done.end(point, event);
    else done.click?.(point, event);
  });

  on('pointercancel', () => {
    if (gesture && !gesture.pans) cancelInteraction();
    finish();
  });

  on('dblclick', (event) => {
    if (isInteractiveElement(event.target)) return;
    const point = toMapPoint({ x: event.clientX, y: event.clientY });
    const node = nodeAt(currentScene(), currentRects(), point);
    if (node) return openComponent(node.id, isTouched);
    if (
      lineAt(currentScene(), currentRects(), point, LINE_HIT_DISTANCE / useCamera.getState().viewport.zoom)
    ) {
      return useView.setState({ inspectorOpen: true, historyOpen: false });
    }
    startDraft(point, groupAt(currentScene(), currentRects(), point)?.id ?? null);
  });

  let hover = 0;
  on('pointermove', (event) => {
    if (gesture || hover || event.pointerType !== 'mouse') return;
    hover = requestAnimationFrame(() => {
      hover = 0;
      if (event.buttons === 0) updateHover(canvas, event);
    });
  });

  // Esc gives back what is on its way.
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !gesture) return;
    finish();
    cancelInteraction();
    event.stopPropagation();
  };
  window.addEventListener('keydown', cancel, { capture: true, signal: signal.signal });

  return () => {
    cancelAnimationFrame(edgePanFrame);
    cancelAnimationFrame(hover);
    signal.abort();
  };
}

/** Whether an element on the canvas handles the pointer itself. */
export function isInteractiveElement(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, input, select, a, [data-own-pointer]') !== null;
}

/** A field that takes the focus brings up a keyboard where there is none: who touches wants to read first. */
function openComponent(id: string, isTouched: boolean): void {
  setSelection([id]);
  if (isTouched) useView.setState({ inspectorOpen: true, historyOpen: false });
  else openInspector();
}

function startGesture(event: PointerEvent): PointerGesture {
  const { tool, selectedComponents } = useView.getState();
  const point = toMapPoint({ x: event.clientX, y: event.clientY });
  const handle = event.target instanceof Element ? event.target.closest('[data-handle]') : null;
  const from = handle?.getAttribute('data-handle');
  if (useInteraction.getState().preview) return { ...PAN, click: () => {} };
  if (tool === 'hand') return { ...PAN, click: clickOn };
  if (from) return canEdit() ? connectGesture(from) : READ_ONLY;
  const node = nodeAt(currentScene(), currentRects(), point);
  if (node) {
    // A finger moves what was chosen before; on anything else it pans.
    if (event.pointerType === 'touch' && !selectedComponents.has(node.id)) return { ...PAN, click: clickOn };
    return canEdit() ? dragGesture(node.id, point) : READ_ONLY;
  }
  return event.shiftKey ? selectGesture(point) : { ...PAN, click: clickOn };
}

const PAN: PointerGesture = { pans: true, move() {}, end() {} };

/** Who may only look is told so by the first try; a click still selects. */
const READ_ONLY: PointerGesture = { pans: false, move() {}, end: () => void checkCanEdit(), click: clickOn };

function clickOn(point: Point, event: PointerEvent): void {
  const scene = currentScene();
  const node = nodeAt(scene, currentRects(), point);
  const lines = node
    ? null
    : lineAt(scene, currentRects(), point, LINE_HIT_DISTANCE / useCamera.getState().viewport.zoom);
  const { selectedComponents, selectedRelationships } = useView.getState();
  const adds = event.shiftKey || event.ctrlKey || event.metaKey;
  useInteraction.setState({ focused: node?.id ?? null });
  if (!adds) setSelection(node ? [node.id] : [], lines ?? []);
  else if (node) setSelection(toggled(selectedComponents, [node.id]), selectedRelationships);
  else if (lines) setSelection(selectedComponents, toggled(selectedRelationships, lines));
}

function toggled(set: ReadonlySet<string>, ids: readonly string[]): Set<string> {
  const next = new Set(set);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  return next;
}

function dragGesture(id: string, from: Point): PointerGesture {
  let ids: ReadonlySet<string> | null = null;
  let bounds: Rect | null = null;
  let near: readonly Rect[] = [];
  const prepare = (adds: boolean) => {
    const { selectedComponents, selectedRelationships } = useView.getState();
    if (!selectedComponents.has(id))
      setSelection(adds ? [...selectedComponents, id] : [id], selectedRelationships);
    ids = withDescendants(currentScene().containment, useView.getState().selectedComponents);
    const scene = currentScene();
    const rects = currentRects();
    // What is in a box comes to rest on the grid, and the box around it.
    bounds = boundingBox(
      rects.filter((_, at) => !scene.nodes[at]?.isGroup && ids?.has(scene.nodes[at]?.id ?? '')),
    );
    const seen = expandRect(visibleRect(), 200);
    near = rects.filter(
      (rect, at) => !ids?.has(scene.nodes[at]?.id ?? '') && !scene.nodes[at]?.isGroup && overlaps(rect, seen),
    );
  };
  return {
    pans: false,
    click: clickOn,
    move(point, event) {
      if (!ids) prepare(event.shiftKey);
      if (!ids || !bounds) return;
      const wanted = { x: point.x - from.x, y: point.y - from.y };
      const reach = SNAP_DISTANCE / useCamera.getState().viewport.zoom;
      const { by, guides }: { by: Point; guides: readonly Guide[] } = event.altKey
        ? { by: { x: Math.round(wanted.x), y: Math.round(wanted.y) }, guides: [] }
        : snap(bounds, wanted, near, reach);
      useInteraction.setState({ moving: shiftedPositions(ids, by), guides });
    },
    end() {
      const { moving } = useInteraction.getState();
      if (moving) commitMoves([...moving].map(([one, place]) => ({ id: one, ...place })));
      useInteraction.setState({ moving: null, guides: [] });
    },
  };
}

function selectGesture(from: Point): PointerGesture {
  const before = useView.getState();
  return {
    pans: false,
    click: clickOn,
    move(point) {
      const rect = rectBetween(from, point);
      useInteraction.setState({ frame: rect });
      const found = nodesIn(currentScene(), currentRects(), rect);
      setSelection([...before.selectedComponents, ...found], before.selectedRelationships);
    },
    end() {
      useInteraction.setState({ frame: null });
    },
  };
}

function connectGesture(from: string): PointerGesture {
  const target = (point: Point) => nodeAt(currentScene(), currentRects(), point)?.id ?? null;
  return {
    pans: false,
    move(point) {
      useInteraction.setState({ connecting: { from, to: point, target: target(point) } });
    },
    end(point, event) {
      useInteraction.setState({ connecting: null });
      const to = target(point);
      if (to)
        useInteraction.setState({ newConnection: { from, to, at: { x: event.clientX, y: event.clientY } } });
      else startDraft(point, groupAt(currentScene(), currentRects(), point)?.id ?? null, from);
    },
  };
}

function updateHover(canvas: HTMLElement, event: PointerEvent): void {
  const point = toMapPoint({ x: event.clientX, y: event.clientY });
  const scene = currentScene();
  const rects = currentRects();
  const { viewport } = useCamera.getState();
  const node = nodeAt(scene, rects, point);
  const over =
    node || viewport.zoom < 0.15 ? null : lineAt(scene, rects, point, LINE_HIT_DISTANCE / viewport.zoom);
  const { hovered } = useInteraction.getState();
  if (over?.[0] !== hovered[0]) useInteraction.setState({ hovered: over ?? [] });
  canvas.dataset.over = node ? 'component' : over ? 'line' : '';
}

/** How far the map moves on in a frame with the pointer near its border. */
function edgePan({ left, top, right, bottom }: DOMRect, { clientX, clientY }: PointerEvent): Point {
  const edge = 28;
  const speed = (near: number) => Math.min(Math.max(edge - near, 0), edge) * 0.5;
  return {
    x: speed(clientX - left) - speed(right - clientX),
    y: speed(clientY - top) - speed(bottom - clientY),
  };
}
