/** Places the regions of a large map, and the components in them. */
import { boundingBox, center, type Point, type Rect } from '../scene/geometry';
import type { WeightedLink } from './communities';
import { simulate } from './forces';
import { fillRows, type Neighbors, shortenLinks } from './rows';
import { separate } from './separate';

/** The distance between regions, which shows where they end. */
const GAP = 200;
/** Regions are drawn together step by step. */
const COMPACT_STEPS = 40;
const COMPACT_FACTOR = 0.96;

/** Moves rectangles in place. Each is in one region, or in none. */
export function arrangeRegions(
  rects: readonly Rect[],
  regions: readonly (readonly number[])[],
  links: readonly WeightedLink[],
): void {
  const regionOf = new Array<number>(rects.length).fill(-1);
  for (const [region, members] of regions.entries()) for (const at of members) regionOf[at] = region;
  const parts = regions.map((members) => members.map((at) => rects[at] as Rect));
  const neighbors = neighborsOf(rects.length, links);
  const bounds = parts.map((part) => fillRows(part));
  simulate(bounds, linksBetween(regionOf, regions, links), { space: GAP });
  compact(bounds);
  const middles = bounds.map(center);
  const byRegion = Map.groupBy(links, ({ source, target }) =>
    regionOf[source] === regionOf[target] ? (regionOf[source] as number) : -1,
  );
  for (const [region, members] of regions.entries()) {
    const part = parts[region] as Rect[];
    const middle = middles[region] as Point;
    if (members.length > 1) {
      const indexOf = new Map(members.map((at, index) => [at, index]));
      const inner = (byRegion.get(region) ?? []).map(({ source, target, weight }) => ({
        source: indexOf.get(source) as number,
        target: indexOf.get(target) as number,
        weight,
      }));
      const targets = members.map((at) =>
        outwards(neighbors[at] ?? [], (other) => middles[regionOf[other] ?? -1], middle),
      );
      simulate(part, inner, { space: 0, targets });
      fillRows(part);
    }
    moveTo(part, middle);
  }
  for (const members of regions) shortenLinks(rects, members, neighbors);
}

function moveTo(part: readonly Rect[], middle: Point): void {
  const now = center(boundingBox(part) as Rect);
  for (const rect of part) {
    rect.x += middle.x - now.x;
    rect.y += middle.y - now.y;
  }
}

/** The direction in which the neighbors in other regions are, as a point around the origin. */
function outwards(
  neighbors: Neighbors[number],
  middleOf: (at: number) => Point | undefined,
  from: Point,
): Point {
  const sum = { x: 0, y: 0 };
  let weights = 0;
  for (const [other, weight] of neighbors) {
    const to = middleOf(other);
    if (!to) continue;
    weights += weight;
    sum.x += weight * (to.x - from.x);
    sum.y += weight * (to.y - from.y);
  }
  return weights > 0 ? { x: sum.x / weights, y: sum.y / weights } : sum;
}

function neighborsOf(count: number, links: readonly WeightedLink[]): Neighbors {
  const neighbors = Array.from({ length: count }, () => [] as [number, number][]);
  for (const { source, target, weight } of links) {
    neighbors[source]?.push([target, weight]);
    neighbors[target]?.push([source, weight]);
  }
  return neighbors;
}

/** The links between regions, by the share of their members' links. */
function linksBetween(
  regionOf: readonly number[],
  regions: readonly (readonly number[])[],
  links: readonly WeightedLink[],
): WeightedLink[] {
  const sums = new Map<number, WeightedLink>();
  for (const { source, target, weight } of links) {
    const [from, to] = [regionOf[source] as number, regionOf[target] as number];
    if (from < 0 || to < 0 || from === to) continue;
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const known = sums.get(low * regions.length + high) ?? { source: low, target: high, weight: 0 };
    sums.set(low * regions.length + high, { ...known, weight: known.weight + weight });
  }
  const largest = Math.max(...[...sums.values()].map(({ weight }) => weight));
  return [...sums.values()].map((link) => ({ ...link, weight: (link.weight / largest) * 0.5 }));
}

/** Draws regions together. */
function compact(bounds: Rect[]): void {
  separate(bounds, GAP);
  for (let step = 0; step < COMPACT_STEPS; step++) {
    const middle = center(boundingBox(bounds) as Rect);
    for (const rect of bounds) {
      const at = center(rect);
      rect.x += (middle.x - at.x) * (1 - COMPACT_FACTOR);
      rect.y += (middle.y - at.y) * (1 - COMPACT_FACTOR);
    }
    separate(bounds, GAP);
  }
}
