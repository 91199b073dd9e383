/** Fits a map into the window so that panels do not cover its components. */

import { areasBeside, largestFreeArea } from './freeArea';
import { boundingBox, center, overlaps, type Rect } from './geometry';

/** The zoom, and the position of the map's origin in the window area, in pixels. */
interface FittedView {
  x: number;
  y: number;
  zoom: number;
}

interface Limits {
  /** Pixels between the components and the edge. */
  margin: number;
  minZoom: number;
  maxZoom: number;
}

/** Pixels between a component and a panel over the map. */
const COVER_GAP = 8;

/** The view that centers a rectangle of the map in `room`, a part of the window, at the largest possible zoom. */
export function fitRect(rect: Rect, room: Rect, { margin, minZoom, maxZoom }: Limits): FittedView {
  const zoom = Math.max(
    minZoom,
    Math.min(
      maxZoom,
      (room.width - 2 * margin) / Math.max(rect.width, 1),
      (room.height - 2 * margin) / Math.max(rect.height, 1),
    ),
  );
  const [middle, point] = [center(room), center(rect)];
  return { x: middle.x - point.x * zoom, y: middle.y - point.y * zoom, zoom };
}

/**
 * The view that shows the whole map at the largest possible zoom, with no component under one of the covers. Areas
 * without components, such as the corner of a group, may be covered.
 */
export function fitAround(
  { all, components }: { all: readonly Rect[]; components: readonly Rect[] },
  whole: Rect,
  covers: readonly Rect[],
  limits: Limits,
): FittedView | null {
  const bounds = boundingBox(all);
  if (!bounds) return null;
  const views = freeRooms(whole, covers).flatMap((room) => viewsIn(room, bounds, limits));
  views.sort((one, other) => other.zoom - one.zoom);
  return (
    views.find((view) => isUncovered(components, covers, view)) ??
    fitRect(bounds, largestFreeArea(whole, covers), limits)
  );
}

/** Fractions of the maximum zoom to try, since covers may prevent the maximum. */
const SHARES = [1, 0.98, 0.96, 0.94, 0.92, 0.9, 0.85, 0.8] as const;

/** Views of a rectangle within an area, centered and at its edges. */
function viewsIn(room: Rect, bounds: Rect, limits: Limits): FittedView[] {
  const largest = fitRect(bounds, room, limits).zoom;
  return SHARES.flatMap((share) => {
    const zoom = Math.max(limits.minZoom, largest * share);
    const middle = fitRect(bounds, room, { ...limits, maxZoom: zoom });
    const [left, top] = [room.x + limits.margin - bounds.x * zoom, room.y + limits.margin - bounds.y * zoom];
    return [middle, { ...middle, y: top }, { ...middle, x: left }];
  });
}

/** The whole area, and the remaining areas above, below, left and right of each cover. */
function freeRooms(whole: Rect, covers: readonly Rect[]): Rect[] {
  let rooms = [whole];
  for (const cover of covers) {
    rooms = rooms.flatMap((room) => (overlaps(room, cover) ? [room, ...areasBeside(room, cover)] : [room]));
  }
  return rooms;
}

/** Whether no component is under a cover. */
export function isUncovered(
  components: readonly Rect[],
  covers: readonly Rect[],
  { x, y, zoom }: FittedView,
): boolean {
  const parts = covers.map((cover) => ({
    x: (cover.x - COVER_GAP - x) / zoom,
    y: (cover.y - COVER_GAP - y) / zoom,
    width: (cover.width + 2 * COVER_GAP) / zoom,
    height: (cover.height + 2 * COVER_GAP) / zoom,
  }));
  return !components.some((rect) => parts.some((part) => overlaps(part, rect)));
}
