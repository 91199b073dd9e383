/**
 * Organic layout: connected components are close to each other. Large maps are divided into regions, which are filled
 * with rows of cards. People are placed at the border.
 */
import { boundingBox, center, type Rect } from '../scene/geometry';
import type { WeightedLink } from './communities';
import { simulate } from './forces';
import type { LayoutPositions, LayoutTask } from './layoutTask';
import { arrangeRegions } from './regionLayout';
import { regionsOf } from './regions';
import { fillRows } from './rows';
import { separate } from './separate';

/** The distance between components outside of regions. */
const SPACE = 36;
/** The distance between people and the rest of the map. */
const PEOPLE_GAP = 160;

/** New positions. Groups move as a whole, with their contents. */
export function organicLayout({ nodes, lines }: LayoutTask): LayoutPositions {
  const top = new Map<string, string>();
  for (const { id, parent } of nodes) top.set(id, parent === null ? id : (top.get(parent) ?? parent));
  const outer = nodes.filter(({ parent }) => parent === null);
  const indexOf = new Map(outer.map(({ id }, at) => [id, at]));
  const endOf = (id: string) => indexOf.get(top.get(id) ?? id) ?? -1;
  const links = weightedLinks(
    outer.length,
    lines.map(({ from, to }) => [endOf(from), endOf(to)]),
  );
  const groups = new Set(nodes.map(({ parent }) => parent));
  const { regions, people } = regionsOf(outer, (at) => groups.has(outer[at]?.id ?? null), links);
  const rects = outer.map(({ width, height }) => ({ x: 0, y: 0, width, height }));
  if (regions.length > 1) arrangeRegions(rects, regions, links);
  else arrangeFreely(rects, regions[0] ?? [], links);
  placePeople(rects, people, links);
  return Object.fromEntries(
    nodes.map(({ id, x, y }) => {
      const at = endOf(id);
      const [from, to] = [outer[at], rects[at]];
      return [id, from && to ? { x: x + to.x - from.x, y: y + to.y - from.y } : { x, y }];
    }),
  );
}

/** One link for all lines between two components. The links of components with many neighbors have less weight. */
function weightedLinks(count: number, ends: readonly (readonly [number, number])[]): WeightedLink[] {
  const degree = new Array<number>(count).fill(0);
  const pairs = new Map<number, readonly [number, number]>();
  for (const [source, target] of ends) {
    const key = Math.min(source, target) * count + Math.max(source, target);
    if (source === target || pairs.has(key)) continue;
    pairs.set(key, [source, target]);
    for (const at of [source, target]) degree[at] = (degree[at] as number) + 1;
  }
  return [...pairs.values()].map(([source, target]) => {
    const weight = 1 / Math.sqrt((degree[source] as number) * (degree[target] as number));
    return { source, target, weight };
  });
}

/** Places the components of a small map by the forces between them. */
function arrangeFreely(rects: readonly Rect[], members: readonly number[], links: readonly WeightedLink[]) {
  const indexOf = new Map(members.map((at, index) => [at, index]));
  const some = members.map((at) => rects[at] as Rect);
  const inner = links.flatMap(({ source, target, weight }) => {
    const [from, to] = [indexOf.get(source), indexOf.get(target)];
    return from === undefined || to === undefined ? [] : [{ source: from, target: to, weight }];
  });
  simulate(some, inner, { space: SPACE });
  separate(some, SPACE);
}

/** Places people above or below all others, whichever is closer to what they are connected to. */
function placePeople(rects: readonly Rect[], people: readonly number[], links: readonly WeightedLink[]) {
  const isPerson = new Set(people);
  const bounds = boundingBox(rects.filter((_, at) => !isPerson.has(at)));
  if (!bounds || people.length === 0) return;
  const middle = center(bounds);
  const neighbors = new Map(people.map((at) => [at, [] as number[]]));
  for (const { source, target } of links) {
    if (!isPerson.has(target)) neighbors.get(source)?.push(target);
    if (!isPerson.has(source)) neighbors.get(target)?.push(source);
  }
  const all = { x: 0, y: 0, count: 0 };
  for (const [at, others] of neighbors) {
    const sum = { x: 0, y: 0 };
    for (const other of others) {
      const { x, y } = center(rects[other] as Rect);
      sum.x += x;
      sum.y += y;
    }
    all.x += sum.x;
    all.y += sum.y;
    all.count += others.length;
    // Rows are ordered by these positions.
    (rects[at] as Rect).x = others.length > 0 ? sum.x / others.length : middle.x;
  }
  const some = people.map((at) => rects[at] as Rect);
  const size = fillRows(some, bounds.width);
  const [x, y] = all.count > 0 ? [all.x / all.count, all.y / all.count] : [middle.x, middle.y];
  const left = Math.min(Math.max(x - size.width / 2, bounds.x), bounds.x + bounds.width - size.width);
  const topEdge = y <= middle.y ? bounds.y - PEOPLE_GAP - size.height : bounds.y + bounds.height + PEOPLE_GAP;
  for (const rect of some) {
    rect.x += left - size.x;
    rect.y += topEdge - size.y;
  }
}
