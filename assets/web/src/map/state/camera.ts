/** How much of the map is seen, and every way of changing it: they all go through `setViewport`. */
import { create } from 'zustand';
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
import { currentRects, currentScene } from './scenes';
import { type Camera, useView } from './view';

export interface Viewport {
  /** Where the map's origin is in the canvas, in pixels. */
  x: number;
  y: number;
  zoom: number;
}

export const MIN_ZOOM = 0.02;
export const MAX_ZOOM = 4;
/** Below this the map is drawn, not built of elements: one sees shapes, not texts. */
const OVERVIEW_ZOOM = 0.4;
const MAX_FIT_ZOOM = 1.25;
const MARGIN = 48;

interface CameraState {
  viewport: Viewport;
  width: number;
  height: number;
  /** Whether the overview is shown. */
  isOverview: boolean;
  /** The components that have elements; null when all have that are in sight. */
  built: ReadonlySet<string> | null;
  /** Whether it is known yet where to look: before that nothing is drawn. */
  isAimed: boolean;
}

export const useCamera = create<CameraState>()(() => ({
  viewport: { x: 0, y: 0, zoom: 1 },
  width: 0,
  height: 0,
  isOverview: false,
  built: null,
  isAimed: false,
}));

const NONE: ReadonlySet<string> = new Set();
/** Elements are made and taken away when the map has rested for so long. */
const SETTLE_MS = 120;
/** So many are made in a frame. */
const ELEMENTS_PER_FRAME = 48;
let settleTimer: ReturnType<typeof setTimeout> | undefined;
let building = 0;

/**
 * Looks elsewhere. Elements are slow to make and to take away, so neither is done while the map zooms: going out they
 * are only hidden, and coming in the overview stays until those in sight are there. A jump does it all at once.
 */
export function setViewport(viewport: Viewport, isJump = false): void {
  const { isOverview, isAimed } = useCamera.getState();
  const goesFar = viewport.zoom < OVERVIEW_ZOOM;
  clearTimeout(settleTimer);
  cancelAnimationFrame(building);
  if (isJump || !isAimed) {
    useCamera.setState({ viewport, isAimed: true, isOverview: goesFar, built: goesFar ? NONE : null });
    return;
  }
  if (goesFar && !isOverview) useCamera.setState({ isOverview: true, built: idsInView(), viewport });
  else useCamera.setState({ viewport });
  if (goesFar || isOverview) settleTimer = setTimeout(updateElements, SETTLE_MS);
}

/** Makes the elements that are missing, some in each frame, or takes all away. */
function updateElements(): void {
  const { viewport, isOverview, built } = useCamera.getState();
  if (!isOverview) return;
  if (viewport.zoom < OVERVIEW_ZOOM) {
    useCamera.setState({ built: NONE });
    return;
  }
  const missing = [...idsInView()].filter((id) => !built?.has(id));
  if (missing.length === 0) {
    useCamera.setState({ isOverview: false, built: null });
    return;
  }
  useCamera.setState({ built: new Set([...(built ?? NONE), ...missing.slice(0, ELEMENTS_PER_FRAME)]) });
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

/** Goes there smoothly, where motion is wanted. */
function animateTo(to: Viewport): void {
  cancelAnimationFrame(motion);
  const from = useCamera.getState().viewport;
  const crosses = from.zoom < OVERVIEW_ZOOM !== to.zoom < OVERVIEW_ZOOM;
  if (crosses || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    setViewport(to, true);
    return;
  }
  const began = performance.now();
  const step = (now: number) => {
    const t = Math.min(1, Math.max(0, (now - began) / MOTION));
    const eased = 1 - (1 - t) ** 3;
    const between = (one: number, other: number) => one + (other - one) * eased;
    setViewport({ x: between(from.x, to.x), y: between(from.y, to.y), zoom: between(from.zoom, to.zoom) });
    if (t < 1) motion = requestAnimationFrame(step);
  };
  motion = requestAnimationFrame(step);
}

/** The viewport that shows a part of the map as large as it fits into `room`, a part of the canvas. */
export function fitViewport(rect: Rect, room: Rect, largest = MAX_FIT_ZOOM): Viewport {
  const zoom = Math.max(
    MIN_ZOOM,
    Math.min(
      largest,
      (room.width - 2 * MARGIN) / Math.max(rect.width, 1),
      (room.height - 2 * MARGIN) / Math.max(rect.height, 1),
    ),
  );
  return centerViewport(center(rect), room, zoom);
}

/** The viewport in which a point of the map is in the middle of `room`, a part of the canvas. */
export function centerViewport(point: Point, room: Rect, zoom: number): Viewport {
  const middle = center(room);
  return { x: middle.x - point.x * zoom, y: middle.y - point.y * zoom, zoom };
}

/** What lies over the map and is read together with it. */
const OVERLAYS = '[data-sheet], [data-bar]';

/** The part of the canvas that no sheet covers, in pixels of the canvas. */
export function uncoveredArea(): Rect {
  const { width, height } = useCamera.getState();
  const box = element?.getBoundingClientRect();
  const covers = [...(element?.parentElement?.querySelectorAll(OVERLAYS) ?? [])].map((sheet) => {
    const { left, top, width, height } = sheet.getBoundingClientRect();
    return { x: left - (box?.left ?? 0), y: top - (box?.top ?? 0), width, height };
  });
  return largestFreeArea({ x: 0, y: 0, width, height }, covers);
}

/** The part of the map that is seen. */
export function visibleRect(): Rect {
  const { viewport, width, height } = useCamera.getState();
  return toMapRect({ x: 0, y: 0, width, height }, viewport);
}

/** A part of the canvas as a part of the map. */
function toMapRect({ x, y, width, height }: Rect, { x: left, y: top, zoom }: Viewport): Rect {
  return { x: (x - left) / zoom, y: (y - top) / zoom, width: width / zoom, height: height / zoom };
}

/** The canvas element, for points of the window. */
let element: HTMLElement | null = null;

export function toMapPoint({ x, y }: Point): Point {
  const { viewport } = useCamera.getState();
  const box = element?.getBoundingClientRect();
  return {
    x: (x - (box?.left ?? 0) - viewport.x) / viewport.zoom,
    y: (y - (box?.top ?? 0) - viewport.y) / viewport.zoom,
  };
}

function zoomTo(wanted: number): void {
  const { viewport, width, height } = useCamera.getState();
  const zoom = Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, wanted));
  const scale = zoom / viewport.zoom;
  animateTo({
    x: width / 2 - (width / 2 - viewport.x) * scale,
    y: height / 2 - (height / 2 - viewport.y) * scale,
    zoom,
  });
}

function fit(ids?: readonly string[]): void {
  const { width } = useCamera.getState();
  const scene = currentScene();
  const places = currentRects();
  const rects = ids ? ids.flatMap((id) => places[scene.indexOf.get(id) ?? -1] ?? []) : places;
  const rect = boundingBox(rects);
  if (rect && width > 0) animateTo(fitViewport(rect, uncoveredArea()));
}

/** Opens the boxes around one, so that it is on the map. */
export function expandAncestors(id: string): void {
  const { containment, hidden } = currentScene();
  if (!hidden.has(id)) return;
  const collapsed = new Set(useView.getState().collapsed);
  for (let at = containment.parent.get(id); at !== undefined; at = containment.parent.get(at))
    collapsed.delete(at);
  useView.setState({ collapsed });
}

/** What was asked for last; should the map be laid out anew before anybody has moved it, it is asked for again. */
let asked: readonly [string, string?] | null = null;

export function revealAgain(): void {
  if (asked) reveal(...asked);
}

/** Two that belong together are shown together down to this zoom. */
const MIN_PAIR_ZOOM = 0.5;

function reveal(id: string, beside?: string): void {
  asked = [id, beside];
  if (!useCamera.getState().isAimed) {
    // Asked before the map has found where it begins: right after that.
    const stop = useCamera.subscribe(({ isAimed }) => {
      if (!isAimed) return;
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
  const isSeen = (part: Rect) =>
    !isOverview && containsRect(toMapRect(room, viewport), expandRect(part, 24 / zoom));
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
  // Of what is larger than that, where it begins.
  const [width, height] = [
    Math.min(rect.width, room.width / zoom),
    Math.min(rect.height, room.height / zoom),
  ];
  animateTo(centerViewport(center({ ...rect, width, height }), room, zoom));
}

function placeOf(id: string): Rect | undefined {
  return currentRects()[currentScene().indexOf.get(id) ?? -1];
}

export const camera: Camera = {
  fit,
  reveal,
  zoomTo,
  zoomBy: (factor) => zoomTo(useCamera.getState().viewport.zoom * factor),
  visible: visibleRect,
  toMap: toMapPoint,
};

/** Gives the camera its canvas. Answers how to take it back. */
export function mountCamera(canvas: HTMLElement): () => void {
  element = canvas;
  let left = canvas.getBoundingClientRect().left;
  const measure = () => {
    const { viewport, isAimed } = useCamera.getState();
    const { left: now } = canvas.getBoundingClientRect();
    // A panel that opens beside the map covers a part of it, and moves nothing of it.
    const by = isAimed ? left - now : 0;
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
    asked = null;
    useCamera.setState({ isOverview: false, built: null, isAimed: false, width: 0, height: 0 });
    useView.setState({ camera: null });
  };
}
