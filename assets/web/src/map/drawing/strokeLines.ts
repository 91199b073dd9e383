/** Draws lines of one style. */

import rules from '@/core/route/rules.json';
import { containsPoint, type Point, type Rect } from '@/core/scene/geometry';
import type { LinePath } from '@/core/scene/linePath';
import type { DrawingContext } from './drawing';

export interface StrokeStyle {
  color: string;
  alpha: number;
  width: number;
  dash: readonly number[];
  /** The color of a border that separates the line from lines it crosses. */
  halo?: string;
}

const HALO_WIDTH = 3;

export interface StrokeOptions {
  zoom: number;
  /** The visible part of the map. */
  seen: Rect;
  hasArrows: boolean;
  /** Whether bends are rounded. */
  isRounded: boolean;
}

/** Strokes each line separately: one path with thousands of lines takes twenty times as long. */
export function strokeLines(
  context: DrawingContext,
  paths: readonly LinePath[],
  style: StrokeStyle,
  { zoom, seen, hasArrows, isRounded }: StrokeOptions,
): void {
  const pixel = 1 / zoom;
  // Lines one pixel wide are by far the fastest.
  const width = style.width === 1 ? pixel : style.width * Math.max(1, pixel);
  const stroke = (color: string, wide: number) => {
    context.strokeStyle = color;
    context.lineWidth = wide;
    for (const path of paths) {
      context.beginPath();
      trace(context, path, isRounded);
      context.stroke();
    }
  };
  context.globalAlpha = style.alpha;
  if (style.halo) stroke(style.halo, width + 2 * HALO_WIDTH);
  context.setLineDash(style.dash.map((length) => length * Math.max(1, pixel)));
  stroke(style.color, width);
  context.setLineDash([]);
  context.fillStyle = style.color;
  if (hasArrows) {
    for (const path of paths)
      if (containsPoint(seen, path.points.at(-1) as Point)) arrow(context, path, style.width);
  }
  context.globalAlpha = 1;
}

function trace(context: DrawingContext, { points, isCurve }: LinePath, isRounded: boolean): void {
  const [first, second, third, fourth] = points as [Point, Point, Point, Point];
  context.moveTo(first.x, first.y);
  if (isCurve && points.length === 4)
    context.bezierCurveTo(second.x, second.y, third.x, third.y, fourth.x, fourth.y);
  else if (isCurve) context.quadraticCurveTo(second.x, second.y, third.x, third.y);
  else tracePolyline(context, points, isRounded);
}

function tracePolyline(context: DrawingContext, points: readonly Point[], isRounded: boolean): void {
  for (let at = 1; at < points.length; at++) {
    const here = points[at] as Point;
    const next = points[at + 1];
    if (!next || !isRounded) {
      context.lineTo(here.x, here.y);
      continue;
    }
    const before = points[at - 1] as Point;
    const room = Math.min(distance(before, here), distance(here, next)) / 2;
    context.arcTo(here.x, here.y, next.x, next.y, Math.min(rules.cornerRadius, room));
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(other.x - one.x, other.y - one.y);
}

function arrow(context: DrawingContext, { points }: LinePath, width: number): void {
  const [before, to] = points.slice(-2) as [Point, Point];
  const length = distance(before, to) || 1;
  const size = 7 + width;
  const [ux, uy] = [((to.x - before.x) / length) * size, ((to.y - before.y) / length) * size];
  context.beginPath();
  context.moveTo(to.x, to.y);
  context.lineTo(to.x - ux - uy * 0.42, to.y - uy + ux * 0.42);
  context.lineTo(to.x - ux + uy * 0.42, to.y - uy - ux * 0.42);
  context.fill();
}
