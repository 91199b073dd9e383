/** A* search on the track graph, over vertices and directions of travel. */
import { expandRect, type Point, type Rect } from '../scene/geometry';
import { MinHeap } from './heap';
import { centerDistance, isNested, simplify } from './polyline';
import rules from './rules.json';
import type { TrackGraph } from './trackGraph';
import { INNER, PORTS, type RouteNode, type TrackPath } from './types';

const { costs, limits } = rules;

/** Encodes an edge of the graph as one number. */
export function edgeKey(one: number, other: number): number {
  return one < other ? one * 67108864 + other : other * 67108864 + one;
}

export interface SearchOptions {
  /** Edges already used by lines of the same trunk; they cost less. */
  shared?: ReadonlySet<number> | null;
  /** Breaks ties between paths of equal cost. */
  seed?: number;
  /** The line points from `to` to `from`, so the arrowhead is at the start of the path. */
  isReversed?: boolean;
  /** Starts at a search state instead of a node's ports, but not in the direction of `blockedSide`. */
  startState?: number;
  blockedSide?: number;
  /** Ends at a vertex, in a direction, instead of a node's ports. */
  endVertex?: number;
  endIsVertical?: boolean;
}

export interface SearchResult extends TrackPath {
  cost: number;
  edges: readonly number[];
  /** The final state, which is the start of the next leg. */
  endState: number;
}

/** The start and target of one search. */
interface Task {
  from: number;
  goals: ReadonlyMap<number, number>;
  /** The target area for the heuristic. */
  target: Rect;
  shared: ReadonlySet<number> | null;
  share: number;
  weight: number;
  /** Groups whose border the line must cross. */
  crossed: ReadonlySet<number>;
  hasStartState: boolean;
  blockedSide: number;
  endIsVertical: boolean | undefined;
  /** Costs of a short first and last piece. */
  shortFirst: number;
  shortLast: number;
}

/** State: vertex × 2, plus 1 for vertical travel. */
export class PathSearch {
  readonly graph: TrackGraph;
  /** The number of lines that pass straight through each vertex, by direction. If null, crossings cost nothing. */
  crossings: { horizontal: Int16Array; vertical: Int16Array } | null = null;
  readonly #costs: Float64Array;
  readonly #previous: Int32Array;
  /** The last search that reached or settled each state. */
  readonly #reached: Int32Array;
  readonly #settled: Int32Array;
  readonly #heap = new MinHeap();
  #turn = 0;

  constructor(graph: TrackGraph) {
    this.graph = graph;
    const states = graph.size * 2;
    this.#costs = new Float64Array(states);
    this.#previous = new Int32Array(states);
    this.#reached = new Int32Array(states);
    this.#settled = new Int32Array(states);
  }

  /** Returns the cheapest path between two nodes, or null if there is none. */
  find(from: number, to: number, options: SearchOptions = {}): SearchResult | null {
    const task = this.#task(from, to, options);
    if (task.goals.size === 0) return null;
    this.#turn++;
    this.#heap.clear();
    if (options.startState !== undefined) this.#reach(task, options.startState, 0, -1);
    else this.#start(task, to, options.seed ?? 0);
    while (!this.#heap.isEmpty) {
      const state = this.#heap.pop();
      if (this.#settled[state] === this.#turn) continue;
      this.#settled[state] = this.#turn;
      const port = task.goals.get(state >> 1);
      if (port !== undefined && this.#arrives(task, state, port)) return this.#result(task, state, port);
      this.#expand(task, state);
    }
    return null;
  }

  #task(from: number, to: number, options: SearchOptions): Task {
    const { nodes } = this.graph.input;
    const { x, y, ports } = this.graph;
    const [source, target] = [nodes[from] as RouteNode, nodes[to] as RouteNode];
    const goals = new Map<number, number>();
    const end = options.endVertex;
    if (end !== undefined) goals.set(end, -1);
    else {
      for (const port of portsTowards(target, source)) {
        const vertex = ports[to * PORTS + port] as number;
        if (vertex >= 0) goals.set(vertex, port);
      }
    }
    const isLong =
      nodes.length > limits.largeMapNodes && centerDistance(source, target) > limits.longDistance;
    const shared = options.shared && options.shared.size > 0 && !isLong ? options.shared : null;
    return {
      from,
      goals,
      target: end === undefined ? target : { x: x[end] as number, y: y[end] as number, width: 0, height: 0 },
      shared,
      share: shared ? costs.sharedStep : 1,
      weight: isLong ? limits.longWeight : 1,
      crossed: groupsBetween(nodes, from, to),
      hasStartState: options.startState !== undefined,
      blockedSide: options.blockedSide ?? -1,
      endIsVertical: options.endIsVertical,
      shortFirst: options.isReversed ? costs.shortLastPiece : costs.shortFirstPiece,
      shortLast: options.isReversed ? costs.shortFirstPiece : costs.shortLastPiece,
    };
  }

  #start(task: Task, to: number, seed: number): void {
    const { nodes } = this.graph.input;
    for (const port of portsTowards(nodes[task.from] as RouteNode, nodes[to] as RouteNode)) {
      const vertex = this.graph.ports[task.from * PORTS + port] as number;
      if (vertex < 0) continue;
      const tieBreak = (costs.tieBreak * (((seed + 1) * 7919 + port * 104729) % 97)) / 97;
      this.#reach(task, vertex * 2 + (isVerticalPort(port) ? 1 : 0), tieBreak, -1);
    }
  }

  #reach(task: Task, state: number, cost: number, previous: number): void {
    this.#costs[state] = cost;
    this.#previous[state] = previous;
    this.#reached[state] = this.#turn;
    this.#heap.push(state, cost + this.#estimate(task, state));
  }

  /**
   * A lower bound of the remaining cost. For long lines the estimate is higher, which makes the search faster but not
   * optimal.
   */
  #estimate({ target, share, weight }: Task, state: number): number {
    const x = this.graph.x[state >> 1] as number;
    const y = this.graph.y[state >> 1] as number;
    const dx = Math.max(target.x - x, 0, x - target.x - target.width);
    const dy = Math.max(target.y - y, 0, y - target.y - target.height);
    const needsBend = (state & 1) === 1 ? dx > 0 : dy > 0;
    return ((dx + dy) * share + (needsBend ? costs.bend : 0)) * weight;
  }

  #arrives({ endIsVertical }: Task, state: number, port: number): boolean {
    if (port < 0) return endIsVertical === undefined || endIsVertical === ((state & 1) === 1);
    return isVerticalPort(port) === ((state & 1) === 1) && (this.#previous[state] as number) >= 0;
  }

  #expand(task: Task, state: number): void {
    const vertex = state >> 1;
    for (let side = 0; side < 4; side++) {
      const next = this.graph.neighbors[vertex * 4 + side] as number;
      if (next < 0) continue;
      const isVertical = side === 0 || side === 2;
      const turns = isVertical !== ((state & 1) === 1);
      if (side === task.blockedSide && (this.#previous[state] as number) < 0) continue;
      // The first piece must be perpendicular to the side of the node.
      if (turns && (this.#previous[state] as number) < 0 && !task.hasStartState) continue;
      const nextState = next * 2 + (isVertical ? 1 : 0);
      if (this.#settled[nextState] === this.#turn) continue;
      const cost = (this.#costs[state] as number) + this.#stepCost(task, state, next, isVertical, turns);
      if (this.#reached[nextState] === this.#turn && (this.#costs[nextState] as number) <= cost + 1e-9)
        continue;
      this.#reach(task, nextState, cost, state);
    }
  }

  #stepCost(task: Task, state: number, next: number, isVertical: boolean, turns: boolean): number {
    const { group } = this.graph;
    const vertex = state >> 1;
    const length = this.graph.distance(vertex, next);
    let cost = task.shared?.has(edgeKey(vertex, next)) ? length * task.share : length;
    if (turns) cost += costs.bend + this.#shortFirstCost(task, state);
    if (turns && length < costs.shortPiece && task.goals.has(next)) cost += task.shortLast;
    else if (this.crossings) {
      const across = isVertical ? this.crossings.horizontal : this.crossings.vertical;
      cost += costs.crossing * (across[vertex] as number);
    }
    if (group[vertex] !== group[next])
      cost += this.#borderCost(group[vertex] as number, group[next] as number, task.crossed);
    return cost;
  }

  #shortFirstCost(task: Task, state: number): number {
    const start = this.#previous[state] as number;
    if (start < 0 || (this.#previous[start] as number) >= 0) return 0;
    return this.graph.distance(state >> 1, start >> 1) < costs.shortPiece ? task.shortFirst : 0;
  }

  /** Penalizes crossing the border of a group that contains both ends or neither. */
  #borderCost(from: number, to: number, crossed: ReadonlySet<number>): number {
    let count = 0;
    for (const group of groupDifference(this.graph.input.nodes, from, to)) if (!crossed.has(group)) count++;
    return count * costs.groupBorder;
  }

  #result(task: Task, endState: number, port: number): SearchResult {
    const { x, y, ports } = this.graph;
    const points: Point[] = [];
    const edges: number[] = [];
    let first = endState;
    for (let state = endState; state >= 0; state = this.#previous[state] as number) {
      const vertex = state >> 1;
      points.push({ x: x[vertex] as number, y: y[vertex] as number });
      first = state;
      const previous = this.#previous[state] as number;
      if (previous >= 0) edges.push(edgeKey(vertex, previous >> 1));
    }
    let startPort = 0;
    for (let side = 0; side < PORTS; side++)
      if (ports[task.from * PORTS + side] === first >> 1) startPort = side;
    return {
      points: simplify(points.reverse()),
      ports: [startPort, port],
      trunk: -1,
      cost: this.#costs[endState] as number,
      edges,
      endState,
    };
  }
}

/** The ports of a node for lines to another node. Groups use the port below their title for lines to their contents. */
export function portsTowards(node: RouteNode, other: RouteNode): readonly number[] {
  if (!node.isGroup || !isNested(node, other)) return [0, 1, 2, 3];
  return node.width * node.height >= other.width * other.height ? [INNER] : [0, 1, 2, 3];
}

export function isVerticalPort(port: number): boolean {
  return port === 0 || port === 2 || port === INNER;
}

function groupsBetween(nodes: readonly RouteNode[], from: number, to: number): ReadonlySet<number> {
  return new Set(groupDifference(nodes, from, to));
}

/** The groups that contain exactly one of two nodes, and the nodes themselves. */
function groupDifference(nodes: readonly RouteNode[], one: number, other: number): number[] {
  const around = new Set<number>();
  for (let at = one; at >= 0; at = nodes[at]?.parent ?? -1) around.add(at);
  for (let at = other; at >= 0; at = nodes[at]?.parent ?? -1) if (!around.delete(at)) around.add(at);
  return [...around];
}

/** The bounds of a card, expanded by the clearance. */
export function clearOf(rect: Rect): Rect {
  return expandRect(rect, rules.tracks.clearance - 1);
}
