/** The visible part of the map. All changes are made by `setViewport`. */
import { create } from 'zustand';
import { fitAround, fitRect, isUncovered } from '@/core/scene/fit';
import { largestFreeArea } from '@/core/scene/freeArea';
import {
  boundingBox,
  center,
  containsRect,
  expandRect,
  overlaps,
  type Point,
  type Rect,
} from '@/core/scene/geometry';
import { handleRect } from '@/core/scene/scene';
import { currentNotes, placedNote } from './notes';
import { currentRects, currentScene } from './scenes';
import { type Camera, useView } from './view';

export interface Viewport {
  /** The position of the map's origin in the canvas, in pixels. */
  x: number;
  y: number;
  zoom: number;
}

export const MIN_ZOOM = 0.02;
export const MAX_ZOOM = 4;
/** Below this zoom, components are painted on the canvas instead of rendered as elements. */
const OVERVIEW_ZOOM = 0.4;
const MAX_FIT_ZOOM = 1.25;
const MARGIN = 32;

interface CameraState {
  viewport: Viewport;
  width: number;
  height: number;
  isOverview: boolean;
  /** The components that have elements; null if all visible components have elements. */
  rendered: ReadonlySet<string> | null;
  /** Whether the initial viewport is known. Nothing is drawn before that. */
  isPositioned: boolean;
}

export const useCamera = create<CameraState>()(() => ({
  viewport: { x: 0, y: 0, zoom: 1 },
  width: 0,
  height: 0,
  isOverview: false,
  rendered: null,
  isPositioned: false,
}));

const NONE: ReadonlySet<string> = new Set();
/** Delay after the last viewport change before elements are added or removed. */
const SETTLE_MS = 120;
/** Number of elements added per frame. */
const ELEMENTS_PER_FRAME = 48;
let settleTimer: ReturnType<typeof setTimeout> | undefined;
let building = 0;

/**
 * Sets the viewport. Adding and removing elements is slow, so it is deferred while zooming: elements are hidden when
 * zooming out, and the overview is shown until the visible elements exist when zooming in. For a jump, elements are
 * added or removed immediately.
 */
export function setViewport(viewport: Viewport, isJump = false): void {
  const { isOverview, isPositioned } = useCamera.getState();
  const isFar = viewport.zoom < OVERVIEW_ZOOM;
  clearTimeout(settleTimer);
  cancelAnimationFrame(building);
  lastMove = isJump || !isPositioned ? 0 : performance.now();
  if (isJump || !isPositioned) {
    useCamera.setState({ viewport, isPositioned: true, isOverview: isFar, rendered: isFar ? NONE : null });
    return;
  }
  if (isFar && !isOverview) useCamera.setState({ isOverview: true, rendered: idsInView(), viewport });
  else useCamera.setState({ viewport });
  if (isFar || isOverview) settleTimer = setTimeout(updateElements, SETTLE_MS);
}

/** Maximum delay of work by `whenStill`. */
const MAX_WAIT_MS = 2000;
let lastMove = 0;

/** Calls `work` when the viewport has not changed for a moment, because slow work makes a gesture jerky. */
export function whenStill(work: () => void, since = performance.now()): void {
  const now = performance.now();
  const rest = Math.min(lastMove + SETTLE_MS, since + MAX_WAIT_MS) - now;
  if (rest <= 0) work();
  else setTimeout(() => whenStill(work, since), rest);
}

/** Adds missing elements over several frames, or removes all elements. */
function updateElements(): void {
  const { viewport, isOverview, rendered } = useCamera.getState();
  if (!isOverview) return;
  if (viewport.zoom < OVERVIEW_ZOOM) {
    useCamera.setState({ rendered: NONE });
    return;
  }
  const missing = [...idsInView()].filter((id) => !rendered?.has(id));
  if (missing.length === 0) {
    useCamera.setState({ isOverview: false, rendered: null });
    return;
  }
  useCamera.setState({ rendered: new Set([...(rendered ?? NONE), ...missing.slice(0, ELEMENTS_PER_FRAME)]) });
  building = requestAnimationFrame(updateElements);
}

function idsInView(): Set<string> {
  const seen = visibleRect();
  const places = currentRects();
  const nodes = currentScene().nodes.filter((_, at) => overlaps(places[at] as Rect, seen));
  return new Set(nodes.map(({ id }) => id));
}

const MOTION = 160;
let motion = 0;

/** Animates the viewport, unless the user prefers reduced motion. */
function animateTo(to: Viewport): void {
  cancelAnimationFrame(motion);
  const from = useCamera.getState().viewport;
  const crosses = from.zoom < OVERVIEW_ZOOM !== to.zoom < OVERVIEW_ZOOM;
  if (crosses || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    setViewport(to, true);
    return;
  }
  const startTime = performance.now();
  const step = (now: number) => {
    const t = Math.min(1, Math.max(0, (now - startTime) / MOTION));
    const eased = 1 - (1 - t) ** 3;
    const between = (start: number, other: number) => start + (other - start) * eased;
    setViewport({ x: between(from.x, to.x), y: between(from.y, to.y), zoom: between(from.zoom, to.zoom) });
    if (t < 1) motion = requestAnimationFrame(step);
  };
  motion = requestAnimationFrame(step);
}

/** The viewport that fits a rectangle into `room`, a part of the canvas. */
export function fitViewport(rect: Rect, room: Rect, largest = MAX_FIT_ZOOM): Viewport {
  return fitRect(rect, room, { margin: MARGIN, minZoom: MIN_ZOOM, maxZoom: largest });
}

/**
 * The viewport that fits these components and notes (all by default) into the canvas, with none under a toolbar or
 * panel.
 */
export function fitAll(ids?: readonly string[], noteIds?: readonly string[]): Viewport | null {
  const { width, height } = useCamera.getState();
  const { nodes, indexOf } = currentScene();
  const rects = currentRects();
  const indexes = ids ? ids.flatMap((id) => indexOf.get(id) ?? []) : nodes.map((_, index) => index);
  const notes = currentNotes().filter(({ note }) => (ids || noteIds ? noteIds?.includes(note.id) : true));
  const all = [...indexes.flatMap((index) => rects[index] ?? []), ...notes.map(({ rect }) => rect)];
  const components = indexes.flatMap((index) => {
    const [node, rect] = [nodes[index], rects[index]];
    return node && rect ? handleRect(node, rect) : [];
  });
  const sheets = notes.flatMap(({ note, rect }) => (note.kind === 'frame' ? [] : [rect]));
  const limits = { margin: MARGIN, minZoom: MIN_ZOOM, maxZoom: MAX_FIT_ZOOM };
  return fitAround(
    { all, components: [...components, ...sheets] },
    { x: 0, y: 0, width, height },
    coveredAreas(),
    limits,
  );
}

/** The viewport that centers a point in `room`, a part of the canvas. */
export function centerViewport(point: Point, room: Rect, zoom: number): Viewport {
  const middle = center(room);
  return { x: middle.x - point.x * zoom, y: middle.y - point.y * zoom, zoom };
}

/** Elements over the map: sheets, bars, tools, minimap. */
const OVERLAYS = '[data-sheet], [data-bar], [data-corner], [data-tools]';

/** The areas of the canvas covered by overlays, in canvas pixels. */
function coveredAreas(): Rect[] {
  const box = element?.getBoundingClientRect();
  return [...document.querySelectorAll(OVERLAYS)].map((overlay) => {
    const { left, top, width, height } = overlay.getBoundingClientRect();
    return { x: left - (box?.left ?? 0), y: top - (box?.top ?? 0), width, height };
  });
}

/** The largest part of the canvas that is not covered by overlays, in canvas pixels. */
export function uncoveredArea(): Rect {
  const { width, height } = useCamera.getState();
  return largestFreeArea({ x: 0, y: 0, width, height }, coveredAreas());
}

/** The visible part of the map, in map units. */
export function visibleRect(): Rect {
  const { viewport, width, height } = useCamera.getState();
  return toMapRect({ x: 0, y: 0, width, height }, viewport);
}

/** Converts a part of the canvas to map units. */
function toMapRect({ x, y, width, height }: Rect, { x: left, y: top, zoom }: Viewport): Rect {
  return { x: (x - left) / zoom, y: (y - top) / zoom, width: width / zoom, height: height / zoom };
}

/** The canvas element, for converting window coordinates. */
let element: HTMLElement | null = null;

export function toMapPoint({ x, y }: Point): Point {
  const { viewport } = useCamera.getState();
  const box = element?.getBoundingClientRect();
  return {
    x: (x - (box?.left ?? 0) - viewport.x) / viewport.zoom,
    y: (y - (box?.top ?? 0) - viewport.y) / viewport.zoom,
  };
}

function zoomTo(requestedZoom: number): void {
  const { viewport, width, height } = useCamera.getState();
  const zoom = Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, requestedZoom));
  const scale = zoom / viewport.zoom;
  animateTo({
    x: width / 2 - (width / 2 - viewport.x) * scale,
    y: height / 2 - (height / 2 - viewport.y) * scale,
    zoom,
  });
}

/** Whether the map is fitted into the canvas. */
export function isFitted(): boolean {
  const { viewport } = useCamera.getState();
  const fitted = fitAll();
  return viewport.x === fitted?.x && viewport.y === fitted.y && viewport.zoom === fitted.zoom;
}

function fit(ids?: readonly string[], noteIds?: readonly string[]): void {
  const { width } = useCamera.getState();
  const to = fitAll(ids, noteIds);
  if (to && width > 0) animateTo(to);
}

/** Pixels between a component that was panned into view and the edge. */
const VIEW_MARGIN = 24;

/** Whether a part of the map is completely visible and not covered. */
function isInView(rect: Rect): boolean {
  const { viewport, width, height } = useCamera.getState();
  const seen = toMapRect({ x: 0, y: 0, width, height }, viewport);
  return (
    containsRect(seen, expandRect(rect, VIEW_MARGIN / viewport.zoom)) &&
    isUncovered([rect], coveredAreas(), viewport)
  );
}

/** Pans as little as possible to make a component visible. */
export function panIntoView(id: string): void {
  const rect = placeOf(id);
  if (rect) panRectIntoView(rect);
}

/** Pans as little as possible to make a part of the map visible. */
export function panRectIntoView(rect: Rect): void {
  const { viewport, isPositioned, width, height } = useCamera.getState();
  if (!isPositioned) return;
  const shift = (start: number, length: number, room: number) => {
    const [before, after] = [VIEW_MARGIN - start, room - VIEW_MARGIN - start - length];
    if (before > 0) return before;
    return Math.min(0, Math.max(after, before));
  };
  const by = {
    x: shift(viewport.x + rect.x * viewport.zoom, rect.width * viewport.zoom, width),
    y: shift(viewport.y + rect.y * viewport.zoom, rect.height * viewport.zoom, height),
  };
  if (by.x !== 0 || by.y !== 0) animateTo({ ...viewport, x: viewport.x + by.x, y: viewport.y + by.y });
}

/** Expands the groups that contain a component. */
export function expandAncestors(id: string): void {
  const { containment, hidden } = currentScene();
  if (!hidden.has(id)) return;
  const collapsed = new Set(useView.getState().collapsed);
  for (let at = containment.parent.get(id); at !== undefined; at = containment.parent.get(at))
    collapsed.delete(at);
  useView.setState({ collapsed });
}

/** Shows the last revealed components again, if the canvas is resized before the user moves the map. */
let lastRevealed: (() => void) | null = null;

export function repeatReveal(): void {
  lastRevealed?.();
}

/** Minimum zoom at which to show two components together. */
const MIN_PAIR_ZOOM = 0.5;

function reveal(id: string, beside?: string): void {
  lastRevealed = () => reveal(id, beside);
  if (!useCamera.getState().isPositioned) {
    // The initial viewport is not known yet, so reveal the component later.
    const stop = useCamera.subscribe(({ isPositioned }) => {
      if (!isPositioned) return;
      stop();
      queueMicrotask(() => reveal(id, beside));
    });
    return;
  }
  expandAncestors(id);
  if (beside !== undefined) expandAncestors(beside);
  const { viewport, isOverview } = useCamera.getState();
  const rect = placeOf(id);
  if (!rect) return;
  const zoom = isOverview ? 0.8 : viewport.zoom;
  const room = uncoveredArea();
  const isSeen = (part: Rect) => !isOverview && isInView(part);
  const both = boundingBox([rect, (beside !== undefined && placeOf(beside)) || rect]);
  if (both && beside !== undefined) {
    if (isSeen(both)) return;
    const together = fitViewport(both, room, zoom);
    if (together.zoom >= Math.min(zoom, MIN_PAIR_ZOOM)) {
      animateTo(together);
      return;
    }
  }
  if (isSeen(rect)) return;
  // If the area is too large, show its start.
  const [width, height] = [
    Math.min(rect.width, room.width / zoom),
    Math.min(rect.height, room.height / zoom),
  ];
  animateTo(centerViewport(center({ ...rect, width, height }), room, zoom));
}

function revealNote(id: string): void {
  lastRevealed = () => revealNote(id);
  const rect = placedNote(id)?.rect;
  if (!rect || !useCamera.getState().isPositioned) return;
  const { viewport, isOverview } = useCamera.getState();
  if (!isOverview && isInView(rect)) return;
  const room = uncoveredArea();
  const zoom = isOverview ? 0.8 : viewport.zoom;
  animateTo(fitViewport(rect, room, zoom));
}

function showTogether(ids: readonly string[]): boolean {
  for (const id of ids) expandAncestors(id);
  const to = fitAll(ids);
  const { width, isPositioned } = useCamera.getState();
  if (!to || !isPositioned || width === 0 || to.zoom < MIN_PAIR_ZOOM) return false;
  lastRevealed = () => showTogether(ids);
  animateTo(to);
  return true;
}

function placeOf(id: string): Rect | undefined {
  return currentRects()[currentScene().indexOf.get(id) ?? -1];
}

export const camera: Camera = {
  fit,
  reveal,
  revealNote,
  showTogether,
  zoomTo,
  zoomBy: (factor) => zoomTo(useCamera.getState().viewport.zoom * factor),
  visible: visibleRect,
  toMap: toMapPoint,
};

/** Sets the canvas element. Returns a function that removes it. */
export function mountCamera(canvas: HTMLElement): () => void {
  element = canvas;
  let left = canvas.getBoundingClientRect().left;
  const measure = () => {
    const { viewport, isPositioned } = useCamera.getState();
    const { left: now } = canvas.getBoundingClientRect();
    // A panel opened to the left of the map shifts the canvas. Compensate, so that the contents do not move.
    const by = isPositioned ? left - now : 0;
    left = now;
    useCamera.setState({
      width: canvas.clientWidth,
      height: canvas.clientHeight,
      viewport: by === 0 ? viewport : { ...viewport, x: viewport.x + by },
    });
  };
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(canvas);
  useView.setState({ camera });
  return () => {
    observer.disconnect();
    cancelAnimationFrame(motion);
    cancelAnimationFrame(building);
    clearTimeout(settleTimer);
    element = null;
    lastRevealed = null;
    useCamera.setState({ isOverview: false, rendered: null, isPositioned: false, width: 0, height: 0 });
    useView.setState({ camera: null });
  };
}
