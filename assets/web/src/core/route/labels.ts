/**
 * Places relationship labels near the middle of their lines, without covering cards, titles or other labels, and if
 * possible without covering other lines and bends.
 */

import { textWidth } from '../drawing/textMetrics';
import { expandRect, overlaps, type Point, type Rect } from '../scene/geometry';
import { truncate } from '../text';
import { diagonalParts, polylineLength, segmentBounds, segmentHits } from './polyline';
import { RectIndex } from './rectIndex';
import rules from './rules.json';
import type { RouteNode } from './types';

const { labels: rule } = rules;

export interface PlacedLabel extends Rect {
  /** The text, in one or two rows. */
  rows: readonly string[];
}

/** A possible layout of a text. */
interface Shape {
  rows: readonly string[];
  width: number;
  height: number;
  cost: number;
}

type Polylines = readonly (readonly Point[] | null)[];

/** Longer segments are indexed in parts. */
const MAX_SEGMENT = 200;
/** Polylines with at least this many points are treated as curves, whose bends are ignored. */
const CURVE_POINTS = 12;
const BLOCKED = 100;

export class LabelPlacer {
  readonly #polylines: Polylines;
  readonly #solid: RectIndex;
  readonly #segments = new RectIndex([], 128);
  readonly #segmentOf: { line: number; a: Point; b: Point }[] = [];
  readonly #placed = new RectIndex([], 128);

  /** Lines whose polyline is null get no label. `placed` are labels with fixed positions. */
  constructor(
    nodes: readonly RouteNode[],
    polylines: Polylines,
    placed: readonly (PlacedLabel | null)[] = [],
  ) {
    this.#polylines = polylines;
    this.#solid = new RectIndex(
      nodes.flatMap((node): readonly Rect[] =>
        node.isGroup ? node.titles : [expandRect(node, rule.cardPadding)],
      ),
    );
    for (const label of placed) if (label) this.#placed.add(label);
    for (const [line, points] of polylines.entries()) {
      for (let at = 1; at < (points?.length ?? 0); at++)
        this.#addSegment(line, points?.[at - 1] as Point, points?.[at] as Point);
    }
  }

  /**
   * Places labels, starting with those that have the least space. Returns null for labels that would cover something.
   * Labels with a chosen position (`chosen`, a fraction of the line's length) are always placed.
   */
  placeAll(texts: readonly string[], chosen: readonly (number | undefined)[] = []): (PlacedLabel | null)[] {
    const placed: (PlacedLabel | null)[] = texts.map(() => null);
    const lengths = texts.map((text, line) => (text ? polylineLength(this.#polylines[line] ?? []) : 0));
    const rank = (line: number) => (chosen[line] === undefined ? 1 : 0);
    const order = [...texts.keys()].filter((line) => texts[line] && this.#polylines[line]);
    order.sort(
      (one, other) =>
        rank(one) - rank(other) || (lengths[one] as number) - (lengths[other] as number) || one - other,
    );
    for (const line of order) {
      const points = this.#polylines[line] ?? [];
      const part = chosen[line];
      const label =
        part === undefined
          ? this.placeOn(points, texts[line] as string, line)
          : labelAtPart(points, texts[line] as string, part);
      if (label) this.#placed.add(expandRect(label, rule.labelPadding));
      placed[line] = label;
    }
    return placed;
  }

  /**
   * Returns the best position for a label on a polyline. If every position covers something, returns the least bad one
   * if `must` is set and null otherwise. Labels may cover segments of their own `line`.
   */
  placeOn(points: readonly Point[], text: string, line: number, must = false): PlacedLabel | null {
    if (points.length < 2) return null;
    let best: PlacedLabel | null = null;
    let least = must ? Number.POSITIVE_INFINITY : BLOCKED;
    for (const shape of shapesOf(text)) {
      for (const { x, y, cost } of candidates(points, shape)) {
        if (cost >= least) continue;
        const rect = {
          x: x - shape.width / 2,
          y: y - shape.height / 2,
          width: shape.width,
          height: shape.height,
        };
        const total = cost + this.#cover(rect, line, least - cost);
        if (total >= least) continue;
        least = total;
        best = { ...rect, rows: shape.rows };
      }
    }
    return best;
  }

  /** The cost of covering other elements. Stops early once the cost reaches `enough`. */
  #cover(rect: Rect, line: number, enough: number): number {
    let cost = 0;
    const blocks = (other: Rect) => {
      if (overlaps(other, rect)) cost += BLOCKED;
    };
    this.#placed.visitRect(rect, blocks);
    if (cost < enough) this.#solid.visitRect(rect, blocks);
    if (cost >= enough) return cost;
    const wide = expandRect(rect, 1);
    const crossed = new Set<number>();
    this.#segments.visitRect(wide, (_, id) => {
      const segment = this.#segmentOf[id] as { line: number; a: Point; b: Point };
      if (segment.line === line || crossed.has(segment.line)) return;
      if (segmentHits(segment.a, segment.b, wide)) crossed.add(segment.line);
    });
    return cost + crossed.size * rule.costs.line;
  }

  #addSegment(line: number, a: Point, b: Point): void {
    for (const [start, end] of diagonalParts(a, b, MAX_SEGMENT)) {
      this.#segments.add(segmentBounds(start, end));
      this.#segmentOf.push({ line, a: start, b: end });
    }
  }
}

/** The label at a fraction of a polyline's length. */
export function labelAtPart(points: readonly Point[], text: string, part: number): PlacedLabel {
  const { x, y } = pointAlong(points, Math.min(1, Math.max(0, part)) * polylineLength(points));
  const { rows, width, height } = shapesOf(text)[0] as Shape;
  return { x: x - width / 2, y: y - height / 2, width, height, rows };
}

/** The text in one row, in two rows if it is wide, and truncated. */
function shapesOf(text: string): Shape[] {
  const full = truncate(text, rule.maxLength);
  const shapes = [shapeOf([full], 0)];
  const two = inTwoRows(full);
  if (two && (shapes[0] as Shape).width > rule.wrapWidth) shapes.push(shapeOf(two, rule.costs.wrapped));
  if (full.length > rule.shortLength)
    shapes.push(shapeOf([truncate(full, rule.shortLength)], rule.costs.shortened));
  return shapes;
}

function shapeOf(rows: readonly string[], cost: number): Shape {
  const widths = rows.map((row) => textWidth(row, rule.fontSize));
  return {
    rows,
    cost,
    width: Math.max(...widths) + rule.padding,
    height: rows.length * rule.lineHeight + rule.verticalPadding,
  };
}

/** Splits a text between two words so that the longer row is as short as possible. */
function inTwoRows(text: string): readonly [string, string] | null {
  const words = text.split(' ');
  let best: readonly [string, string] | null = null;
  for (let at = 1; at < words.length; at++) {
    const rows = [words.slice(0, at).join(' '), words.slice(at).join(' ')] as const;
    const longest = (of: readonly string[]) => Math.max(...of.map(({ length }) => length));
    if (!best || longest(rows) < longest(best)) best = rows;
  }
  return best;
}

interface Candidate extends Point {
  cost: number;
}

/** Candidate positions for the center of a label, from the middle of the line outward. */
function* candidates(points: readonly Point[], shape: Shape): Generator<Candidate> {
  const length = polylineLength(points);
  const count = Math.max(1, Math.min(rule.maxSteps, Math.floor(length / rule.step)));
  for (let step = 0; step <= count; step++) {
    const part = 0.5 + ((step % 2 ? 1 : -1) * Math.ceil(step / 2)) / count;
    if (part < 0.04 || part > 0.96) continue;
    const here = pointAlong(points, part * length);
    const cost = shape.cost + placeCost(here, shape, part, length);
    yield { x: here.x, y: here.y, cost };
    if (points.length > CURVE_POINTS) continue;
    const [dx, dy] = here.isVertical ? [shape.width / 2 + 2, 0] : [0, shape.height / 2 + 1];
    yield { x: here.x + dx, y: here.y + dy, cost: cost + rule.costs.beside };
    yield { x: here.x - dx, y: here.y - dy, cost: cost + rule.costs.beside };
  }
}

function placeCost(here: PointAlong, { width, height }: Shape, part: number, length: number): number {
  const { costs } = rule;
  const room = here.isVertical ? height / 2 : width / 2;
  const toEnd = Math.min(part, 1 - part) * length;
  return (
    Math.abs(part - 0.5) * costs.offCenter * Math.min(1, length / 400) +
    (here.isVertical ? costs.vertical : 0) +
    (here.toBend < room + 4 ? costs.bend : 0) +
    (toEnd < room + rule.endSpace ? costs.end : 0)
  );
}

interface PointAlong extends Point {
  isVertical: boolean;
  /** Distance to the nearest bend. */
  toBend: number;
}

function pointAlong(points: readonly Point[], distance: number): PointAlong {
  let left = distance;
  const last = points.length - 1;
  for (let at = 1; at <= last; at++) {
    const [a, b] = [points[at - 1] as Point, points[at] as Point];
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    if (left <= length || at === last) {
      const t = length > 0 ? Math.min(1, left / length) : 0;
      const isCurve = points.length > CURVE_POINTS;
      const before = at > 1 && !isCurve ? left : Number.POSITIVE_INFINITY;
      const after = at < last && !isCurve ? length - left : Number.POSITIVE_INFINITY;
      return {
        x: a.x + (b.x - a.x) * t,
        y: a.y + (b.y - a.y) * t,
        isVertical: Math.abs(b.y - a.y) > Math.abs(b.x - a.x),
        toBend: Math.min(before, after),
      };
    }
    left -= length;
  }
  return { ...(points[0] as Point), isVertical: false, toBend: 0 };
}
