/**
 * Pointer gestures on the canvas. The target of the press (a component, a line, a handle, the background) determines
 * the gesture. React Flow handles panning and zooming.
 */

import { notesIn } from '@/core/notes/hits';
import { type Point, rectBetween } from '@/core/scene/geometry';
import { groupAt, nodeAt, nodesIn } from '@/core/scene/hitTest';
import { canEdit } from '@/workspace/model';
import { checkCanEdit, startDraft } from '../edits/edits';
import { openNote } from '../edits/notes';
import { connect, editLine } from '../edits/relationships';
import { setViewport, toMapPoint, useCamera } from '../state/camera';
import { cancelInteraction, useInteraction } from '../state/interaction';
import { currentNotes } from '../state/notes';
import { showInspector } from '../state/panels';
import { usePicking } from '../state/picking';
import { currentRects, currentScene } from '../state/scenes';
import { setSelection, useView } from '../state/view';
import { canArrange } from '../state/viewContents';
import { drillDownFrom } from '../state/viewNavigation';
import { type DragTarget, dragGesture } from './drag';
import type { PointerGesture } from './gesture';
import {
  handleAt,
  handleInWindow,
  handleOf,
  type LineHandle,
  openHandle,
  startHandleDrag,
} from './lineHandles';
import { placingGesture } from './placing';
import { resizeGesture } from './resize';
import { resizeNoteGesture } from './resizeNote';
import { LINE_HIT_DISTANCE, targetAt } from './target';

/** Minimum movement of a drag in pixels. */
const DRAG_THRESHOLD = 4;

/** Binds the gestures to the canvas. Returns a function that removes them. */
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
      // A second touch starts a pinch, which cancels the gesture.
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

  // React Flow pans on these events, so stop them during other gestures.
  for (const name of ['mousedown', 'touchstart'] as const) {
    on(name, (event) => {
      if (!gesture || gesture.pans) return;
      event.stopPropagation();
      // Shift+click would select text on the page.
      if (!event.shiftKey) return;
      event.preventDefault();
      canvas.focus({ preventScroll: true });
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

  /** Pans the map while the pointer is near its edge. */
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
    if (isInteractiveElement(event.target) || usePicking.getState().pick) return;
    // The event is sent to the canvas, which has captured the pointer.
    const handle = handleInWindow({ x: event.clientX, y: event.clientY });
    if (handle) return openHandle(handle);
    const point = toMapPoint({ x: event.clientX, y: event.clientY });
    const target = targetAt(point);
    if (target?.kind === 'note') return openNote(target.note, isTouched);
    if (target?.kind === 'component') return openComponent(target.node.id, isTouched);
    if (target) return openLine(target.ids);
    startDraft(point, groupAt(currentScene(), currentRects(), point)?.id ?? null);
  });

  let hover = 0;
  on('pointermove', (event) => {
    if (gesture || hover || event.pointerType !== 'mouse') return;
    hover = requestAnimationFrame(() => {
      hover = 0;
      if (!gesture && event.buttons === 0) updateHover(canvas, event);
    });
  });

  // Escape cancels the gesture.
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

/** Whether an element on the canvas handles pointer events itself. */
export function isInteractiveElement(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('button, input, select, textarea, a, [data-own-pointer]') !== null
  );
}

/**
 * Opens the view of a component if it has one, and otherwise renames it in place. On touch devices, shows the component instead, because an input field would open the
 * on-screen keyboard.
 */
function openComponent(id: string, isTouched: boolean): void {
  if (drillDownFrom(id)) return;
  setSelection([id]);
  if (isTouched || !canEdit() || useCamera.getState().isOverview) showInspector();
  else useView.setState({ renaming: id });
}

/** Edits the label of a single relationship in place. Several relationships on one line are listed in the inspector. */
function openLine(ids: readonly string[]): void {
  const [id] = ids;
  if (id !== undefined && ids.length === 1 && canEdit()) editLine(id);
  else showInspector();
}

function startGesture(event: PointerEvent): PointerGesture {
  const { tool } = useView.getState();
  const { placing } = useInteraction.getState();
  const point = toMapPoint({ x: event.clientX, y: event.clientY });
  if (useInteraction.getState().preview) return { ...PAN, click: () => {} };
  if (usePicking.getState().pick) return { ...PAN, click: pickOn };
  if (placing) return placingGesture(placing, point);
  const onHandle = event.target instanceof Element ? handleGesture(event.target, point) : null;
  if (onHandle) return onHandle;
  const dragged = dragTargetAt(point);
  if (dragged) {
    // Touch drags only items that are already selected; otherwise it pans.
    if (event.pointerType === 'touch' && !isSelected(dragged)) return { ...PAN, click: clickOn };
    return canArrange() ? { ...dragGesture(dragged, point), click: clickOn } : READ_ONLY;
  }
  const piece = handleAt(point, LINE_HIT_DISTANCE / useCamera.getState().viewport.zoom);
  if (piece) return lineGesture(piece, clickOn);
  const drawsFrame = event.shiftKey || (tool === 'select' && event.pointerType !== 'touch');
  return drawsFrame ? selectGesture(point, event.shiftKey) : { ...PAN, click: clickOn };
}

/** The gesture of a handle of a group, note, line or component. */
function handleGesture(target: Element, point: Point): PointerGesture | null {
  const resize = target.closest('[data-resize]');
  if (resize && canEdit()) return resizeGesture(resize, point);
  const resizeNote = target.closest('[data-resize-note]');
  if (resizeNote && canEdit()) return resizeNoteGesture(resizeNote, point);
  const lineHandle = handleOf(target);
  if (lineHandle) return lineGesture(lineHandle, () => {});
  const from = target.closest('[data-handle]')?.getAttribute('data-handle');
  if (!from) return null;
  return canEdit() ? connectGesture(from, point) : READ_ONLY;
}

/** The component or note at a point. */
function dragTargetAt(point: Point): DragTarget | null {
  const target = targetAt(point);
  if (target?.kind === 'component') return { kind: 'component', id: target.node.id };
  return target?.kind === 'note' ? { kind: 'note', id: target.note.id } : null;
}

function isSelected({ kind, id }: DragTarget): boolean {
  const { selectedComponents, selectedNotes } = useView.getState();
  return (kind === 'note' ? selectedNotes : selectedComponents).has(id);
}

function lineGesture(handle: LineHandle, click: NonNullable<PointerGesture['click']>): PointerGesture {
  const drag = startHandleDrag(handle);
  return {
    pans: false,
    click,
    move: (point, { altKey }) => drag?.move(point, altKey),
    end: () => drag?.end(),
  };
}

const PAN: PointerGesture = { pans: true, move() {}, end() {} };

/** Dragging shows viewers a message that they cannot edit. Clicking selects. */
const READ_ONLY: PointerGesture = { pans: false, move() {}, end: () => void checkCanEdit(), click: clickOn };

function pickOn(point: Point, event: PointerEvent): void {
  const node = nodeAt(currentScene(), currentRects(), point);
  if (node) usePicking.getState().pick?.(node.id, event.pointerType === 'touch');
}

function clickOn(point: Point, event: PointerEvent): void {
  const target = targetAt(point);
  const components = target?.kind === 'component' ? [target.node.id] : [];
  const lines = target?.kind === 'line' ? target.ids : [];
  const notes = target?.kind === 'note' ? [target.note.id] : [];
  useInteraction.setState({ focused: components[0] ?? null, focusedNote: notes[0] ?? null });
  const adds = event.shiftKey || event.ctrlKey || event.metaKey;
  if (!adds) {
    setSelection(components, lines, notes);
    return;
  }
  const { selectedComponents, selectedRelationships, selectedNotes } = useView.getState();
  setSelection(
    toggled(selectedComponents, components),
    toggled(selectedRelationships, lines),
    toggled(selectedNotes, notes),
  );
}

function toggled(set: ReadonlySet<string>, ids: readonly string[]): Set<string> {
  const next = new Set(set);
  for (const id of ids) if (!next.delete(id)) next.add(id);
  return next;
}

/** Selects items in a frame; with Shift, adds them to the selection. */
function selectGesture(from: Point, adds: boolean): PointerGesture {
  const { selectedComponents, selectedRelationships, selectedNotes } = useView.getState();
  const kept = adds ? [...selectedComponents] : [];
  const keptLines = adds ? selectedRelationships : [];
  const keptNotes = adds ? [...selectedNotes] : [];
  return {
    pans: false,
    click: clickOn,
    move(point) {
      const rect = rectBetween(from, point);
      useInteraction.setState({ frame: rect });
      const found = nodesIn(currentScene(), currentRects(), rect);
      setSelection([...kept, ...found], keptLines, [...keptNotes, ...notesIn(currentNotes(), rect)]);
    },
    end() {
      useInteraction.setState({ frame: null });
    },
  };
}

function connectGesture(from: string, start: Point): PointerGesture {
  const target = (point: Point) => nodeAt(currentScene(), currentRects(), point)?.id ?? null;
  return {
    pans: false,
    move(point) {
      useInteraction.setState({ connecting: { from, start, to: point, target: target(point) } });
    },
    end(point) {
      useInteraction.setState({ connecting: null });
      const to = target(point);
      if (to) connect(from, to);
      else startDraft(point, groupAt(currentScene(), currentRects(), point)?.id ?? null, from);
    },
  };
}

function updateHover(canvas: HTMLElement, event: PointerEvent): void {
  const point = toMapPoint({ x: event.clientX, y: event.clientY });
  // In the overview of a large map, lines are too close to each other, and finding one takes too long.
  const target = targetAt(point, useCamera.getState().viewport.zoom >= 0.15);
  const lineIds = target?.kind === 'line' ? target.ids : [];
  const { hovered } = useInteraction.getState();
  if (lineIds[0] !== hovered[0]) useInteraction.setState({ hovered: lineIds });
  canvas.dataset.over = target?.kind ?? '';
}

/** The pan distance per frame when the pointer is near the edge of the map. */
function edgePan({ left, top, right, bottom }: DOMRect, { clientX, clientY }: PointerEvent): Point {
  const edge = 28;
  const speed = (near: number) => Math.min(Math.max(edge - near, 0), edge) * 0.5;
  return {
    x: speed(clientX - left) - speed(right - clientX),
    y: speed(clientY - top) - speed(bottom - clientY),
  };
}
