/**
 * Routing of some lines between the others, which keep their routes: while nodes are dragged, only lines that are attached
 * to the dragged nodes or blocked by them are rerouted.
 */
import { boundingBox, expandRect, type Point, type Rect } from '../scene/geometry';
import { centerDistance, polylineHits, segmentBounds } from './polyline';
import { RectIndex } from './rectIndex';
import { isRoutable, Router } from './route';
import rules from './rules.json';
import { spread } from './spread';
import { TrackGraph } from './trackGraph';
import { assignTrunks } from './trunks';
import type { RouteInput, RouteLine, RouteNode, RouteResult, TrackPath } from './types';

/** If more lines than this are affected, they are drawn straight until the drop. */
const MAX_LINES = 40;
/** Number of lines to route even when the time is up, so that slow machines still show most routes. */
const MIN_LINES = 12;
/** Margin around the affected lines within which the map is considered. */
const WINDOW_MARGIN = 260;
/** Existing lines within this distance limit how far new ones may move. */
const NEAR = 24;
const MAX_NEAR = 250;

export class LiveRouter {
  readonly #input: RouteInput;
  readonly #rest: RouteResult;
  readonly #trunks: Int32Array;
  /** Segments of the original routes, and the line of each segment. */
  readonly #segments = new RectIndex([], 160);
  readonly #lineOf: number[] = [];
  readonly #linesAt: number[][];

  constructor(input: RouteInput, rest: RouteResult) {
    this.#input = input;
    this.#rest = rest;
    this.#trunks = assignTrunks(input.lines);
    this.#linesAt = input.nodes.map(() => []);
    for (const [line, points] of rest.points.entries()) {
      for (let at = 1; at < (points?.length ?? 0); at++) {
        this.#segments.add(segmentBounds(points?.[at - 1] as Point, points?.[at] as Point));
        this.#lineOf.push(line);
      }
    }
    for (const [line, { from, to }] of input.lines.entries())
      for (const end of new Set([from, to])) this.#linesAt[end]?.push(line);
  }

  /**
   * Returns the routes that differ from the original ones, by line; null for a straight line. `moved` are the indexes
   * of nodes whose position in `nodes` differs from the original. When the time is up, attached lines become straight
   * and other lines keep their routes. `lines` are the lines with the waypoints that they have during the drag.
   */
  route(
    nodes: readonly RouteNode[],
    moved: readonly number[],
    isOver: () => boolean,
    lines: readonly RouteLine[] = this.#input.lines,
  ): Map<number, readonly Point[] | null> {
    const routes = new Map<number, readonly Point[] | null>();
    const attached = new Set(moved.flatMap((node) => this.#linesAt[node] ?? []));
    const blocked = this.#blockedBy(
      moved.map((node) => nodes[node] as RouteNode),
      attached,
    );
    for (const line of attached) routes.set(line, null);
    const input = { nodes, lines };
    const wanted = [
      ...this.#byDistance(nodes, [...attached]),
      ...this.#byDistance(nodes, [...blocked]),
    ].filter((line) => isRoutable(input, input.lines[line] as RouteLine));
    const near = wanted.slice(0, MAX_LINES);
    if (near.length === 0) return routes;
    const graph = new TrackGraph(
      input,
      windowOf(
        nodes,
        near.map((line) => lines[line] as RouteLine),
      ),
    );
    const found = routeWithin(new Router(graph, this.#trunks), near, isOver);
    const { points } = this.#spread(graph, found, new Set([...attached, ...blocked]));
    for (const [at, { line }] of found.entries()) routes.set(line, points[at] ?? null);
    return routes;
  }

  /**
   * Returns the routes of lines that are not among the original ones, or replace the original ones with the indexes
   * `replaced`; null for a line that cannot be routed.
   */
  routeLines(
    lines: readonly RouteLine[],
    replaced: ReadonlySet<number> = new Set(),
  ): (readonly Point[] | null)[] {
    if (lines.length === 0) return [];
    const { nodes } = this.#input;
    const graph = new TrackGraph({ nodes, lines }, windowOf(nodes, lines));
    const found = routeWithin(new Router(graph), [...lines.keys()], () => false);
    const { points } = this.#spread(graph, found, replaced);
    const routes: (readonly Point[] | null)[] = lines.map(() => null);
    for (const [at, { line }] of found.entries()) routes[line] = points[at] ?? null;
    return routes;
  }

  #blockedBy(moved: readonly RouteNode[], attached: ReadonlySet<number>): ReadonlySet<number> {
    const blocked = new Set<number>();
    const solid = moved.flatMap((node): readonly Rect[] => (node.isGroup ? node.titles : [node]));
    for (const rect of solid) {
      const wide = expandRect(rect, rules.tracks.clearance);
      this.#segments.visitRect(wide, (_, id) => {
        const line = this.#lineOf[id] as number;
        if (attached.has(line) || blocked.has(line)) return;
        if (polylineHits(this.#rest.points[line] ?? [], wide)) blocked.add(line);
      });
    }
    return blocked;
  }

  /** Shortest first, because routing a long line in a large map needs a large part of the map. */
  #byDistance(nodes: readonly RouteNode[], lines: readonly number[]): number[] {
    const distances = new Map(
      lines.map((line) => {
        const { from, to } = this.#input.lines[line] as RouteLine;
        return [line, centerDistance(nodes[from] as Rect, nodes[to] as Rect)];
      }),
    );
    const distance = (line: number) => distances.get(line) ?? 0;
    const isLarge = nodes.length > rules.limits.largeMapNodes;
    return lines
      .filter((line) => !isLarge || distance(line) <= rules.limits.denseMapDistance)
      .sort((one, other) => distance(one) - distance(other) || one - other);
  }

  /** Spreads new paths between nearby original lines, which do not move, except those with the indexes `replaced`. */
  #spread(graph: TrackGraph, found: readonly LinePath[], replaced: ReadonlySet<number>) {
    const beside = new Set<number>();
    for (const { path } of found) {
      for (let at = 1; at < path.points.length; at++) {
        const piece = segmentBounds(path.points[at - 1] as Point, path.points[at] as Point);
        this.#segments.visitRect(expandRect(piece, NEAR), (_, id) => {
          const line = this.#lineOf[id] as number;
          if (!replaced.has(line) && this.#rest.offsets[line]) beside.add(line);
        });
      }
    }
    if (beside.size > MAX_NEAR) beside.clear();
    const fixed = new Map<number, readonly number[]>();
    const paths: (TrackPath | null)[] = found.map(({ path }) => path);
    const lines = found.map(({ line }) => graph.input.lines[line] as RouteLine);
    for (const line of beside) {
      fixed.set(paths.length, this.#rest.offsets[line] as readonly number[]);
      paths.push(this.#rest.paths[line] as TrackPath);
      lines.push(this.#input.lines[line] as RouteLine);
    }
    const input = { nodes: graph.input.nodes, lines };
    return spread(input, graph.obstacles, paths, [...lines.keys()], fixed);
  }
}

/** The part of the map in which lines are routed. */
function windowOf(nodes: readonly RouteNode[], lines: readonly RouteLine[]): Rect {
  const ends = lines.flatMap(({ from, to, via = [] }) => [
    nodes[from] as Rect,
    nodes[to] as Rect,
    ...via.map(({ x, y }) => ({ x, y, width: 0, height: 0 })),
  ]);
  return expandRect(boundingBox(ends) as Rect, WINDOW_MARGIN);
}

/** Lines to route between the others on a map. */
export interface ExtraRouteTask {
  input: RouteInput;
  rest: RouteResult;
  lines: readonly RouteLine[];
}

/** Routes lines in one call that can run in a worker. */
export function routeExtraLines({ input, rest, lines }: ExtraRouteTask): (readonly Point[] | null)[] {
  return new LiveRouter(input, rest).routeLines(lines);
}

/** Sorts named lines by the distance of their ends. */
export function shortestFirst(
  nodes: readonly RouteNode[],
  lines: readonly (readonly [string, RouteLine])[],
): (readonly [string, RouteLine])[] {
  const length = ({ from, to }: RouteLine) => centerDistance(nodes[from] as Rect, nodes[to] as Rect);
  return [...lines].sort(([, one], [, other]) => length(one) - length(other));
}

interface LinePath {
  line: number;
  path: TrackPath;
}

function routeWithin(router: Router, lines: readonly number[], isOver: () => boolean): LinePath[] {
  const found: LinePath[] = [];
  for (const [count, line] of lines.entries()) {
    if (count >= MIN_LINES && isOver()) break;
    const path = router.route(line);
    if (path) found.push({ line, path });
  }
  return found;
}
