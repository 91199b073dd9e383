/** Moves the camera to components, notes, or the whole map, beside panels and toolbars. */
import { fitAround, fitRect, isUncovered } from '@/core/scene/fit';
import { largestFreeArea } from '@/core/scene/freeArea';
import { boundingBox, center, containsRect, expandRect, type Point, type Rect } from '@/core/scene/geometry';
import { handleRect } from '@/core/scene/scene';
import {
  animateTo,
  MIN_ZOOM,
  measureCanvas,
  toCanvasRect,
  toMapPoint,
  toMapRect,
  useCamera,
  type Viewport,
  visibleRect,
  zoomTo,
} from './camera';
import { currentNotes, placedNote } from './notes';
import { currentRects, currentScene } from './scenes';
import { currentStubs } from './stubs';
import { type Camera, useView } from './view';

const MAX_FIT_ZOOM = 1.25;
const MARGIN = 32;

/** The viewport that fits a rectangle into `room`, a part of the canvas. */
export function fitViewport(rect: Rect, room: Rect, largest = MAX_FIT_ZOOM): Viewport {
  return fitRect(rect, room, { margin: MARGIN, minZoom: MIN_ZOOM, maxZoom: largest });
}

/**
 * The viewport that fits these components and notes (all by default) and other areas into the canvas, with none under a
 * toolbar or panel.
 */
export function fitAll(
  ids?: readonly string[],
  noteIds?: readonly string[],
  others: readonly Rect[] = [],
): Viewport | null {
  const { width, height } = useCamera.getState();
  const { nodes, indexOf } = currentScene();
  const rects = currentRects();
  const indexes = ids ? ids.flatMap((id) => indexOf.get(id) ?? []) : nodes.map((_, index) => index);
  const notes = currentNotes().filter(({ note }) => (ids || noteIds ? noteIds?.includes(note.id) : true));
  const stubs = ids || noteIds ? [] : currentStubs().map(({ rect }) => rect);
  const areas = [...stubs, ...others];
  const all = [...indexes.flatMap((index) => rects[index] ?? []), ...notes.map(({ rect }) => rect), ...areas];
  const components = indexes.flatMap((index) => {
    const [node, rect] = [nodes[index], rects[index]];
    return node && rect ? handleRect(node, rect) : [];
  });
  const sheets = notes.flatMap(({ note, rect }) => (note.kind === 'frame' ? [] : [rect]));
  const limits = { margin: MARGIN, minZoom: MIN_ZOOM, maxZoom: MAX_FIT_ZOOM };
  return fitAround(
    { all, components: [...components, ...sheets, ...areas] },
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
  return [...document.querySelectorAll(OVERLAYS)].map((overlay) =>
    toCanvasRect(overlay.getBoundingClientRect()),
  );
}

/** The largest part of the canvas that is not covered by overlays, in canvas pixels. */
export function uncoveredArea(): Rect {
  const { width, height } = useCamera.getState();
  return largestFreeArea({ x: 0, y: 0, width, height }, coveredAreas());
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

function showTogether(ids: readonly string[], others: readonly Rect[] = []): boolean {
  for (const id of ids) expandAncestors(id);
  const to = fitAll(ids, undefined, others);
  const { width, isPositioned } = useCamera.getState();
  if (!to || !isPositioned || width === 0 || to.zoom < MIN_PAIR_ZOOM) return false;
  lastRevealed = () => showTogether(ids, others);
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

/** Provides the camera of a canvas. Returns a function that removes it. */
export function mountCamera(canvas: HTMLElement): () => void {
  const stop = measureCanvas(canvas);
  useView.setState({ camera });
  return () => {
    stop();
    lastRevealed = null;
    useView.setState({ camera: null });
  };
}
