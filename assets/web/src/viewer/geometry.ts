/** Coordinates of the map and of the screen. */

export interface Point {
  x: number;
  y: number;
}

export interface Rect extends Point {
  width: number;
  height: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The center of the visible part in map units, and pixels per map unit. */
export interface Camera extends Point {
  scale: number;
}

const MIN_SCALE = 0.02;
const MAX_SCALE = 4;
/** Small maps are not enlarged beyond this to fill the stage. */
const MAX_FIT_SCALE = 1.25;

export const center = ({ x, y, width, height }: Rect): Point => ({ x: x + width / 2, y: y + height / 2 });

/** Shows a whole area. */
export function cameraFor(area: Rect, stage: Size): Camera {
  const scale = Math.min(stage.width / area.width, stage.height / area.height, MAX_FIT_SCALE);
  return { ...center(area), scale: clamped(Number.isFinite(scale) && scale > 0 ? scale : 1) };
}

/** Changes the scale so that the point of the map at `at`, in pixels of the stage, stays where it is. */
export function zoom(camera: Camera, factor: number, at: Point, stage: Size): Camera {
  const scale = clamped(camera.scale * factor);
  const keep = (center: number, offset: number) => center + offset / camera.scale - offset / scale;
  return {
    x: keep(camera.x, at.x - stage.width / 2),
    y: keep(camera.y, at.y - stage.height / 2),
    scale,
  };
}

/** Moves the map by pixels, as far as some of it stays visible. */
export function pan(camera: Camera, dx: number, dy: number, area: Rect): Camera {
  const within = (value: number, start: number, length: number) =>
    Math.min(Math.max(value, start), start + length);
  return {
    x: within(camera.x - dx / camera.scale, area.x, area.width),
    y: within(camera.y - dy / camera.scale, area.y, area.height),
    scale: camera.scale,
  };
}

/** The visible part of the map. */
export function viewBox({ x, y, scale }: Camera, stage: Size): Rect {
  const [width, height] = [stage.width / scale, stage.height / scale];
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** The smallest rectangle around others. */
export function around(rects: Rect[]): Rect | undefined {
  if (rects.length === 0) return undefined;
  const left = Math.min(...rects.map(({ x }) => x));
  const top = Math.min(...rects.map(({ y }) => y));
  const right = Math.max(...rects.map(({ x, width }) => x + width));
  const bottom = Math.max(...rects.map(({ y, height }) => y + height));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export const padded = ({ x, y, width, height }: Rect, by: number): Rect => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
});

export type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/** The nearest rectangle in a direction. Distance to the side counts double. */
export function neighbor(
  from: Rect,
  all: ReadonlyMap<string, Rect>,
  direction: Direction,
): string | undefined {
  const start = center(from);
  const isHorizontal = direction === 'ArrowLeft' || direction === 'ArrowRight';
  const sign = direction === 'ArrowLeft' || direction === 'ArrowUp' ? -1 : 1;
  let best: { key: string; distance: number } | undefined;
  for (const [key, rect] of all) {
    const { x, y } = center(rect);
    const ahead = (isHorizontal ? x - start.x : y - start.y) * sign;
    const aside = Math.abs(isHorizontal ? y - start.y : x - start.x);
    const distance = ahead + 2 * aside;
    if (ahead > 1 && (!best || distance < best.distance)) best = { key, distance };
  }
  return best?.key;
}

/** Where the line from the center of a rectangle to a point leaves the rectangle. */
export function edge(rect: Rect, towards: Point): Point {
  const from = center(rect);
  const [dx, dy] = [towards.x - from.x, towards.y - from.y];
  const part = Math.min(
    dx === 0 ? Number.POSITIVE_INFINITY : rect.width / 2 / Math.abs(dx),
    dy === 0 ? Number.POSITIVE_INFINITY : rect.height / 2 / Math.abs(dy),
    1,
  );
  return { x: from.x + dx * part, y: from.y + dy * part };
}

function clamped(scale: number): number {
  return Math.min(Math.max(scale, MIN_SCALE), MAX_SCALE);
}
