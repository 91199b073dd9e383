/** Where a map is shown so that nothing lies over its components. */

import { areasBeside, largestFreeArea } from './freeArea';
import { boundingBox, center, overlaps, type Rect } from './geometry';

/** Where the map's origin is in the window part, in pixels, and the zoom. */
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

/** Pixels between a component and what lies over the map. */
const COVER_GAP = 8;

/** The view that shows a rectangle of the map as large as possible in the middle of `room`, a part of the window. */
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
 * The view that shows everything as large as possible, with no component under one of the covers. What has no component
 * in it, such as the corner of a group, may be covered.
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

/** Shares of the largest zoom that are tried, because a cover may be in the way of the largest. */
const SHARES = [1, 0.98, 0.96, 0.94, 0.92, 0.9, 0.85, 0.8] as const;

/** Views of a rectangle within a room, in its middle and at its edges. */
function viewsIn(room: Rect, bounds: Rect, limits: Limits): FittedView[] {
  const largest = fitRect(bounds, room, limits).zoom;
  return SHARES.flatMap((share) => {
    const zoom = Math.max(limits.minZoom, largest * share);
    const middle = fitRect(bounds, room, { ...limits, maxZoom: zoom });
    const [left, top] = [room.x + limits.margin - bounds.x * zoom, room.y + limits.margin - bounds.y * zoom];
    return [middle, { ...middle, y: top }, { ...middle, x: left }];
  });
}

/** The whole, and what is left of it above, below, left or right of any of the covers. */
function freeRooms(whole: Rect, covers: readonly Rect[]): Rect[] {
  let rooms = [whole];
  for (const cover of covers) {
    rooms = rooms.flatMap((room) => (overlaps(room, cover) ? [room, ...areasBeside(room, cover)] : [room]));
  }
  return rooms;
}

/** Whether no component lies under a cover. */
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
