/**
 * Routes all lines of a map. Nodes are never moved. Lines keep their previous paths where nothing blocks them, so that
 * a change only affects nearby lines.
 */
import type { Point, Rect } from '../scene/geometry';
import { facingPath } from './facing';
import { centerDistance, isNested } from './polyline';
import { isStillFree } from './reusablePaths';
import rules from './rules.json';
import { edgeKey, PathSearch, type SearchResult } from './search';
import { spread } from './spread';
import { TrackGraph } from './trackGraph';
import { assignTrunks } from './trunks';
import {
  EAST,
  NORTH,
  type RouteInput,
  type RouteLine,
  type RouteNode,
  type RouteResult,
  SOUTH,
  type TrackPath,
} from './types';
import { pathThrough } from './waypoints';

const { limits, loop } = rules;

/** Routes all lines. `previous` contains the previous path of each line. */
export function routeLines(input: RouteInput, previous: readonly (TrackPath | null)[] = []): RouteResult {
  const graph = new TrackGraph(input);
  const { lines } = input;
  if (graph.isTooLarge) {
    const none = lines.map(() => null);
    return { paths: none, points: none, offsets: none };
  }
  const paths = new Router(graph).routeAll(previous);
  const result = spread(input, graph.obstacles, paths, [...lines.keys()]);
  return { paths: paths.map(withoutSearchResult), ...result };
}

/** Removes edges, which refer to a graph that is replaced at the next change. */
function withoutSearchResult(path: TrackPath | null): TrackPath | null {
  if (!path) return null;
  const { edges: _, cost: __, ...kept } = path;
  return kept;
}

/** Whether a line is short enough to be routed. In dense maps, long lines are drawn straight. */
export function isRoutable({ nodes, lines }: RouteInput, { from, to, shape, via }: RouteLine): boolean {
  if (shape === 'straight') return false;
  if (lines.length <= limits.denseMapLines || via) return true;
  return centerDistance(nodes[from] as Rect, nodes[to] as Rect) <= limits.denseMapDistance;
}

export class Router {
  readonly #graph: TrackGraph;
  readonly #search: PathSearch;
  readonly #input: RouteInput;
  readonly #trunks: Int32Array;
  /** The edges used by each trunk so far. */
  readonly #trunkEdges = new Map<number, Set<number>>();
  /** The vertices of each line's waypoints. */
  readonly #via: ReadonlyMap<number, readonly number[]>;

  constructor(graph: TrackGraph, trunks = assignTrunks(graph.input.lines)) {
    this.#graph = graph;
    this.#search = new PathSearch(graph);
    this.#input = graph.input;
    this.#trunks = trunks;
    this.#via = viaVertices(graph);
  }

  routeAll(previous: readonly (TrackPath | null)[]): (TrackPath | null)[] {
    const { lines } = this.#input;
    const paths = lines.map((_, at) => this.#keep(at, previous[at] ?? null));
    const isNew = (at: number) => !paths[at] && isRoutable(this.#input, lines[at] as RouteLine);
    const missing = [...lines.keys()].filter(isNew);
    const single = missing.filter((at) => (this.#trunks[at] as number) < 0);
    const members = groupBy(missing, (at) => this.#trunks[at] as number);
    for (const at of single) paths[at] = this.route(at);
    for (const list of members.values()) this.#routeTrunk(list, paths);
    if (lines.length <= limits.crossingAwareLines) this.#avoidCrossings(single, members, paths);
    return paths;
  }

  /** The path of a line, or null if there is none. */
  route(at: number): TrackPath | null {
    const { from, to, lane } = this.#input.lines[at] as RouteLine;
    const [source, target] = [this.#input.nodes[from], this.#input.nodes[to]] as [RouteNode, RouteNode];
    if (from === to)
      return { points: this.#loop(from, lane), ports: [NORTH, EAST], trunk: -1, isFixed: true };
    if (isNested(source, target) && !source.isGroup && !target.isGroup) return null;
    const via = this.#via.get(at);
    const through = via && this.#routeVia(at, via);
    if (through) return through;
    const trunk = this.#trunks[at] as number;
    const shared = trunk >= 0 ? this.#edgesOf(trunk) : null;
    const facing = shared?.size ? null : facingPath(this.#graph.obstacles, from, to);
    if (facing) return { ...facing, trunk };
    const found = shared ? this.#search.find(from, to, { shared }) : this.#findBetween(from, to);
    if (!found) return null;
    for (const edge of found.edges) shared?.add(edge);
    return { points: found.points, ports: found.ports, trunk, cost: found.cost, edges: found.edges };
  }

  /** Searches in the same direction for lines in both directions, so that they run in parallel. */
  #findBetween(from: number, to: number): SearchResult | null {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    const isReversed = from > to;
    const found = this.#search.find(low, high, { seed: low * 31 + high, isReversed });
    if (!found || !isReversed) return found;
    return { ...found, points: found.points.toReversed(), ports: [found.ports[1], found.ports[0]] };
  }

  /** A line from a node to itself around the node's top right corner, as large as the space allows. */
  #loop(node: number, lane: number): Point[] {
    const { x, y, width } = this.#input.nodes[node] as Rect;
    const room = (side: number) => this.#graph.obstacles.gap(node, side) - rules.tracks.clearance;
    const out = Math.max(loop.minOut, Math.min(loop.out + lane * loop.step, room(NORTH), room(EAST)));
    const right = x + width;
    const left = right - loop.top - lane * loop.step;
    const low = y + loop.right + lane * loop.rightStep;
    return [
      { x: left, y },
      { x: left, y: y - out },
      { x: right + out, y: y - out },
      { x: right + out, y: low },
      { x: right, y: low },
    ];
  }

  #edgesOf(trunk: number): Set<number> {
    const known = this.#trunkEdges.get(trunk) ?? new Set<number>();
    this.#trunkEdges.set(trunk, known);
    return known;
  }

  /** Returns the previous path of a line if it still connects its ends and nothing blocks it. */
  #keep(at: number, path: TrackPath | null): TrackPath | null {
    const line = this.#input.lines[at] as RouteLine;
    // Paths through waypoints that were removed since are not kept.
    if (!path || path.isFixed || path.pinned || line.via || !isRoutable(this.#input, line)) return null;
    if (!isStillFree(this.#graph.obstacles, line, path)) return null;
    const trunk = this.#trunks[at] as number;
    // The obstacle that the line avoided is gone.
    if (trunk < 0 && facingPath(this.#graph.obstacles, line.from, line.to)) return null;
    const edges = edgesAlong(this.#graph, path.points);
    if (trunk >= 0) for (const edge of edges) this.#edgesOf(trunk).add(edge);
    return { points: path.points, ports: path.ports, trunk, edges };
  }

  /** Short lines first; longer ones join them. */
  #routeTrunk(list: readonly number[], paths: (TrackPath | null)[]): void {
    const { nodes, lines } = this.#input;
    const length = (at: number) => {
      const { from, to } = lines[at] as RouteLine;
      return centerDistance(nodes[from] as Rect, nodes[to] as Rect);
    };
    for (const at of [...list].sort((one, other) => length(one) - length(other) || one - other))
      paths[at] = this.route(at);
  }

  /** Reroutes each line, now that its crossings with other lines are known. */
  #avoidCrossings(
    single: readonly number[],
    members: ReadonlyMap<number, readonly number[]>,
    paths: (TrackPath | null)[],
  ): void {
    const { size } = this.#graph;
    this.#search.crossings = { horizontal: new Int16Array(size), vertical: new Int16Array(size) };
    for (const path of paths) this.#countCrossings(path, 1);
    const cost = (at: number) => paths[at]?.cost ?? 0;
    const searched = single.filter((at) => paths[at]?.edges && !this.#input.lines[at]?.via);
    // The most expensive lines have the most to gain.
    for (const at of searched.sort((one, other) => cost(other) - cost(one) || one - other)) {
      const before = paths[at] ?? null;
      this.#countCrossings(before, -1);
      paths[at] = this.route(at) ?? before;
      this.#countCrossings(paths[at] ?? null, 1);
    }
    for (const [trunk, list] of members) {
      if (list.some((at) => !paths[at]?.edges)) continue;
      for (const at of list) this.#countCrossings(paths[at] ?? null, -1);
      this.#trunkEdges.delete(trunk);
      this.#routeTrunk(list, paths);
      for (const at of list) this.#countCrossings(paths[at] ?? null, 1);
    }
    this.#search.crossings = null;
  }

  /** Adds `by` to the line count of the vertices that a path passes straight through. */
  #countCrossings(path: TrackPath | null, by: number): void {
    const { crossings } = this.#search;
    if (!crossings || !path?.edges) return;
    const { x } = this.#graph;
    const bends = new Set(path.points.map((point) => this.#graph.vertexAt(point)));
    const seen = new Set<number>();
    for (const edge of path.edges) {
      const [one, other] = [Math.floor(edge / 67108864), edge % 67108864];
      const counts = x[one] === x[other] ? crossings.vertical : crossings.horizontal;
      for (const vertex of [one, other]) {
        if (seen.has(vertex) || bends.has(vertex)) continue;
        seen.add(vertex);
        counts[vertex] = (counts[vertex] as number) + by;
      }
    }
  }

  /** Routes a line through its waypoints. */
  #routeVia(at: number, vertices: readonly number[]): TrackPath | null {
    const { from, to } = this.#input.lines[at] as RouteLine;
    const points = pathThrough(this.#search, { from, to, seed: at }, vertices);
    if (!points) return null;
    const { x, y } = this.#graph;
    const pinned = vertices.map((vertex) => ({ x: x[vertex] as number, y: y[vertex] as number }));
    return { ...points, trunk: -1, pinned };
  }
}

function viaVertices({ input, viaVertices: vertices }: TrackGraph): ReadonlyMap<number, readonly number[]> {
  const byLine = new Map<number, readonly number[]>();
  let next = 0;
  for (const [at, { via }] of input.lines.entries()) {
    if (!via || via.length === 0) continue;
    byLine.set(at, vertices.slice(next, next + via.length));
    next += via.length;
  }
  return byLine;
}

function groupBy(list: readonly number[], keyOf: (at: number) => number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const at of list) {
    const key = keyOf(at);
    if (key < 0) continue;
    const members = groups.get(key);
    if (members) members.push(at);
    else groups.set(key, [at]);
  }
  return groups;
}

/** The graph edges along a path, where its tracks still exist. */
function edgesAlong(graph: TrackGraph, points: readonly Point[]): number[] {
  const edges: number[] = [];
  for (let at = 1; at < points.length; at++) {
    const [a, b] = [points[at - 1] as Point, points[at] as Point];
    const end = graph.vertexAt(b);
    const isAhead = b.x + b.y > a.x + a.y;
    const side = a.x === b.x ? (isAhead ? SOUTH : NORTH) : isAhead ? EAST : 3;
    let vertex = graph.vertexAt(a);
    while (vertex >= 0 && vertex !== end) {
      const next = graph.neighbors[vertex * 4 + side] as number;
      if (next < 0) break;
      edges.push(edgeKey(vertex, next));
      vertex = next;
      if (isPast(graph, vertex, b, side)) break;
    }
  }
  return edges;
}

function isPast(graph: TrackGraph, vertex: number, { x, y }: Point, side: number): boolean {
  const [here, there] = side === NORTH || side === SOUTH ? [graph.y[vertex], y] : [graph.x[vertex], x];
  return side === EAST || side === SOUTH
    ? (here as number) >= (there as number)
    : (here as number) <= (there as number);
}
