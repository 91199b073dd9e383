/** Quality metrics of routes, for tests and benchmarks. */
import { expandRect, overlaps, type Point, type Rect } from '../scene/geometry';
import { polylineHits, segmentBounds, segmentHits } from './polyline';
import { RectIndex } from './rectIndex';
import type { RouteInput, RouteLine } from './types';

type Points = readonly (readonly Point[] | null)[];

export interface RouteCounts {
  /** Number of lines that have a route. */
  routed: number;
  /** Number of pairs of a line and a card that it crosses, not counting the cards that it connects. */
  overCards: number;
  /** Number of pairs of a line and a group title that it crosses, not counting groups that it connects. */
  overTitles: number;
  /** Number of pairs of lines without a common end that overlap. */
  onTop: number;
  /** Crossings between lines, and bends of all lines. */
  crossings: number;
  bends: number;
}

/** Parallel segments closer than this, over a longer distance than this, count as overlapping. */
const MIN_APART = 0.5;
const MIN_SHARED = 4;

export function countRouteFaults({ nodes, lines }: RouteInput, points: Points): RouteCounts {
  const counts = { routed: 0, overCards: 0, overTitles: 0, onTop: 0, crossings: 0, bends: 0 };
  const cards = new RectIndex(nodes.map((node) => expandRect(node, node.isGroup ? -1e9 : -1)));
  const titles = nodes.flatMap((node, at) => node.titles.map((rect) => ({ rect: expandRect(rect, -1), at })));
  for (const [at, polyline] of points.entries()) {
    if (!polyline) continue;
    const { from, to } = lines[at] as RouteLine;
    counts.routed++;
    counts.bends += Math.max(0, polyline.length - 2);
    const hit = new Set<number>();
    eachSegment(polyline, (a, b) =>
      cards.visitRect(segmentBounds(a, b), (rect, id) => {
        if (id !== from && id !== to && !nodes[id]?.isGroup && segmentHits(a, b, rect)) hit.add(id);
      }),
    );
    counts.overCards += hit.size;
    for (const title of titles)
      if (title.at !== from && title.at !== to && polylineHits(polyline, title.rect)) counts.overTitles++;
  }
  return { ...counts, ...countPairs(lines, points) };
}

interface Segment {
  line: number;
  a: Point;
  b: Point;
  isEnd: boolean;
}

function countPairs(lines: readonly RouteLine[], points: Points) {
  const all: Segment[] = [];
  for (const [line, polyline] of points.entries()) {
    if (!polyline) continue;
    for (let at = 1; at < polyline.length; at++)
      all.push({
        line,
        a: polyline[at - 1] as Point,
        b: polyline[at] as Point,
        isEnd: at === 1 || at === polyline.length - 1,
      });
  }
  const index = new RectIndex(all.map(({ a, b }) => expandRect(segmentBounds(a, b), MIN_APART)));
  const onTop = new Set<string>();
  let crossings = 0;
  for (const [at, one] of all.entries()) {
    index.visitRect(segmentBounds(one.a, one.b), (_, id) => {
      const other = all[id] as Segment;
      if (id <= at || other.line === one.line) return;
      const isRelated = haveCommonEnd(lines[one.line] as RouteLine, lines[other.line] as RouteLine);
      if (!isRelated && sharedLength(one, other) > MIN_SHARED) onTop.add(`${one.line} ${other.line}`);
      if (segmentsCross(one, other) && !(isRelated && one.isEnd && other.isEnd)) crossings++;
    });
  }
  return { onTop: onTop.size, crossings };
}

function haveCommonEnd(one: RouteLine, other: RouteLine): boolean {
  return one.from === other.from || one.from === other.to || one.to === other.from || one.to === other.to;
}

/** The length over which two segments overlap. */
function sharedLength(one: Segment, other: Segment): number {
  const isVertical = one.a.x === one.b.x;
  if (isVertical !== (other.a.x === other.b.x)) return 0;
  const [across, along] = isVertical ? (['x', 'y'] as const) : (['y', 'x'] as const);
  if (Math.abs(one.a[across] - other.a[across]) >= MIN_APART) return 0;
  const low = Math.max(Math.min(one.a[along], one.b[along]), Math.min(other.a[along], other.b[along]));
  const high = Math.min(Math.max(one.a[along], one.b[along]), Math.max(other.a[along], other.b[along]));
  return high - low;
}

/** Whether a horizontal and a vertical segment cross. */
function segmentsCross(one: Segment, other: Segment): boolean {
  const isVertical = one.a.x === one.b.x;
  if (isVertical === (other.a.x === other.b.x)) return false;
  const [v, h] = isVertical ? [one, other] : [other, one];
  const { x } = v.a;
  const { y } = h.a;
  return (
    Math.min(h.a.x, h.b.x) < x &&
    x < Math.max(h.a.x, h.b.x) &&
    Math.min(v.a.y, v.b.y) < y &&
    y < Math.max(v.a.y, v.b.y)
  );
}

export interface LabelCounts {
  placed: number;
  overCards: number;
  overLabels: number;
}

/** Counts labels that cover a card, a title or another label. */
export function countLabelFaults({ nodes }: RouteInput, labels: readonly (Rect | null)[]): LabelCounts {
  const placed = labels.filter((label) => label !== null);
  const solid = nodes.flatMap((node) => (node.isGroup ? node.titles : [node]));
  const obstacles = new RectIndex(solid);
  const counts = { placed: placed.length, overCards: 0, overLabels: 0 };
  for (const [at, label] of placed.entries()) {
    obstacles.visitRect(label, (rect) => {
      if (overlaps(rect, label)) counts.overCards++;
    });
    for (const other of placed.slice(at + 1)) if (overlaps(label, other)) counts.overLabels++;
  }
  return counts;
}

function eachSegment(points: readonly Point[], visit: (a: Point, b: Point) => void): void {
  for (let at = 1; at < points.length; at++) visit(points[at - 1] as Point, points[at] as Point);
}
