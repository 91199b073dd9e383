/** The visible part of the map. All changes are made by `setViewport`. */
import { create } from 'zustand';
import { overlaps, type Point, type Rect } from '@/core/scene/geometry';
import { currentRects, currentScene } from './scenes';

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
let motionMs = MOTION;

/** Changes the duration of movements in milliseconds. Returns a function that resets it. */
export function setCameraMotion(milliseconds: number): () => void {
  motionMs = milliseconds;
  return () => {
    motionMs = MOTION;
  };
}

/** Animates the viewport, unless the user prefers reduced motion. */
export function animateTo(to: Viewport): void {
  cancelAnimationFrame(motion);
  const from = useCamera.getState().viewport;
  const crosses = from.zoom < OVERVIEW_ZOOM !== to.zoom < OVERVIEW_ZOOM;
  if (crosses || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    setViewport(to, true);
    return;
  }
  const startTime = performance.now();
  const step = (now: number) => {
    const t = Math.min(1, Math.max(0, (now - startTime) / motionMs));
    const eased = 1 - (1 - t) ** 3;
    const between = (start: number, other: number) => start + (other - start) * eased;
    setViewport({ x: between(from.x, to.x), y: between(from.y, to.y), zoom: between(from.zoom, to.zoom) });
    if (t < 1) motion = requestAnimationFrame(step);
  };
  motion = requestAnimationFrame(step);
}

/** The visible part of the map, in map units. */
export function visibleRect(): Rect {
  const { viewport, width, height } = useCamera.getState();
  return toMapRect({ x: 0, y: 0, width, height }, viewport);
}

/** Converts a part of the canvas to map units. */
export function toMapRect({ x, y, width, height }: Rect, { x: left, y: top, zoom }: Viewport): Rect {
  return { x: (x - left) / zoom, y: (y - top) / zoom, width: width / zoom, height: height / zoom };
}

/** The canvas element, for converting window coordinates. */
let element: HTMLElement | null = null;

/** Converts a part of the window to canvas pixels. */
export function toCanvasRect({ left, top, width, height }: DOMRect): Rect {
  const box = element?.getBoundingClientRect();
  return { x: left - (box?.left ?? 0), y: top - (box?.top ?? 0), width, height };
}

export function toMapPoint({ x, y }: Point): Point {
  const { viewport } = useCamera.getState();
  const box = element?.getBoundingClientRect();
  return {
    x: (x - (box?.left ?? 0) - viewport.x) / viewport.zoom,
    y: (y - (box?.top ?? 0) - viewport.y) / viewport.zoom,
  };
}

/** Zooms around the center of the canvas. */
export function zoomTo(requestedZoom: number): void {
  const { viewport, width, height } = useCamera.getState();
  const zoom = Math.max(MIN_ZOOM, Math.min(MAX_ZOOM, requestedZoom));
  const scale = zoom / viewport.zoom;
  animateTo({
    x: width / 2 - (width / 2 - viewport.x) * scale,
    y: height / 2 - (height / 2 - viewport.y) * scale,
    zoom,
  });
}

/** Follows the size and position of the canvas element. Returns a function that ends this. */
export function measureCanvas(canvas: HTMLElement): () => void {
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
  return () => {
    observer.disconnect();
    cancelAnimationFrame(motion);
    cancelAnimationFrame(building);
    clearTimeout(settleTimer);
    element = null;
    useCamera.setState({ isOverview: false, rendered: null, isPositioned: false, width: 0, height: 0 });
  };
}
