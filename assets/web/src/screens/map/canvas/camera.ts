/** How much of the map is seen, and every way of changing it: they all come through `look`. */
import { flushSync } from 'react-dom';
import { create } from 'zustand';
import { around, inflated, type Point, type Rect } from '@/core/scene/geometry';
import { type Camera, useView } from '../view';
import { currentPlaces, currentScene } from './scenes';

export interface Viewport {
  /** Where the map's origin is in the canvas, in pixels. */
  x: number;
  y: number;
  zoom: number;
}

export const MIN_ZOOM = 0.02;
export const MAX_ZOOM = 4;
/** Below this the map is drawn, not built of elements: one sees shapes, not texts. */
const FAR = 0.4;
const LARGEST_FIT = 1.25;
const MARGIN = 48;

interface Shown {
  viewport: Viewport;
  width: number;
  height: number;
  /** Whether the overview is shown. */
  far: boolean;
}

export const useCamera = create<Shown>()(() => ({
  viewport: { x: 0, y: 0, zoom: 1 },
  width: 0,
  height: 0,
  far: false,
}));

/**
 * Looks elsewhere. Going out, the elements are taken away before the map moves, and coming in they are made after it
 * has: else thousands of them would be made for one frame.
 */
export function look(viewport: Viewport): void {
  const { far } = useCamera.getState();
  const goesFar = viewport.zoom < FAR;
  if (goesFar && !far) flushSync(() => useCamera.setState({ far: true }));
  useCamera.setState({ viewport });
  if (!goesFar && far) requestAnimationFrame(comeNear);
}

function comeNear(): void {
  const { viewport, far } = useCamera.getState();
  if (far && viewport.zoom >= FAR) useCamera.setState({ far: false });
}

const MOTION = 160;
let motion = 0;

/** Goes there smoothly, where motion is wanted. */
function glide(to: Viewport): void {
  cancelAnimationFrame(motion);
  const from = useCamera.getState().viewport;
  const crosses = from.zoom < FAR !== to.zoom < FAR;
  if (crosses || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    look(to);
    return;
  }
  const began = performance.now();
  const step = (now: number) => {
    const t = Math.min(1, Math.max(0, (now - began) / MOTION));
    const eased = 1 - (1 - t) ** 3;
    const between = (one: number, other: number) => one + (other - one) * eased;
    look({ x: between(from.x, to.x), y: between(from.y, to.y), zoom: between(from.zoom, to.zoom) });
    if (t < 1) motion = requestAnimationFrame(step);
  };
  motion = requestAnimationFrame(step);
}

/** The viewport that shows a part of the map as large as it fits. */
export function fitting(rect: Rect, width: number, height: number): Viewport {
  const room = inflated(rect, 0);
  const zoom = Math.max(
    MIN_ZOOM,
    Math.min(
      LARGEST_FIT,
      (width - 2 * MARGIN) / Math.max(room.width, 1),
      (height - 2 * MARGIN) / Math.max(room.height, 1),
    ),
  );
  return {
    x: width / 2 - (room.x + room.width / 2) * zoom,
    y: height / 2 - (room.y + room.height / 2) * zoom,
    zoom,
  };
}

/** The part of the map that is seen. */
export function visible(): Rect {
  const { viewport, width, height } = useCamera.getState();
  const { x, y, zoom } = viewport;
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

/** The canvas element, for points of the window. */
let element: HTMLElement | null = null;

export function toMap({ x, y }: Point): Point {
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
  glide({
    x: width / 2 - (width / 2 - viewport.x) * scale,
    y: height / 2 - (height / 2 - viewport.y) * scale,
    zoom,
  });
}

function fit(ids?: readonly string[]): void {
  const { width, height } = useCamera.getState();
  const scene = currentScene();
  const places = currentPlaces();
  const rects = ids ? ids.flatMap((id) => places[scene.indexOf.get(id) ?? -1] ?? []) : places;
  const rect = around(rects);
  if (rect && width > 0) glide(fitting(rect, width, height));
}

function reveal(id: string): void {
  const { viewport, width, height, far } = useCamera.getState();
  const rect = currentPlaces()[currentScene().indexOf.get(id) ?? -1];
  if (!rect) return;
  const zoom = far ? 0.8 : viewport.zoom;
  const room = inflated(rect, 24 / zoom);
  const seen = visible();
  const isSeen =
    room.x >= seen.x &&
    room.y >= seen.y &&
    room.x + room.width <= seen.x + seen.width &&
    room.y + room.height <= seen.y + seen.height;
  if (isSeen && !far) return;
  glide({
    x: width / 2 - (rect.x + Math.min(rect.width, width / zoom) / 2) * zoom,
    y: height / 2 - (rect.y + Math.min(rect.height, height / zoom) / 2) * zoom,
    zoom,
  });
}

export const camera: Camera = {
  fit,
  reveal,
  zoomTo,
  zoomBy: (factor) => zoomTo(useCamera.getState().viewport.zoom * factor),
  visible,
  toMap,
};

/** Gives the camera its canvas. Answers how to take it back. */
export function mountCamera(canvas: HTMLElement): () => void {
  element = canvas;
  const measure = () => useCamera.setState({ width: canvas.clientWidth, height: canvas.clientHeight });
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(canvas);
  useView.setState({ camera });
  return () => {
    observer.disconnect();
    cancelAnimationFrame(motion);
    element = null;
    useView.setState({ camera: null });
  };
}
