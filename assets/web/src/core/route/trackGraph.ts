/**
 * The routing graph: horizontal and vertical tracks in the gaps between cards and groups, exits from the sides of all
 * nodes, and their intersections.
 */
import type { Point, Rect } from '../scene/geometry';
import { Obstacles } from './obstacles';
import rules from './rules.json';
import { EAST, INNER, NORTH, PORTS, type RouteInput, type RouteNode, SOUTH, WEST } from './types';

const { clearance, wideGap, wideOffset, mergeDistance, minExit, innerPort } = rules.tracks;

/** A straight corridor without obstacles. */
interface Track {
  isVertical: boolean;
  /** The coordinate across the track. */
  position: number;
  low: number;
  high: number;
  vertices: number[];
}

interface Exit {
  node: number;
  port: number;
  track: Track;
}

/** Tracks are at multiples of half a pixel, so that equal positions compare equal. */
const onHalf = (value: number) => Math.round(value * 2) / 2;

export class TrackGraph {
  readonly input: RouteInput;
  readonly obstacles: Obstacles;
  /** Coordinates of the vertices. */
  x = new Float64Array(0);
  y = new Float64Array(0);
  /** Four neighbors per vertex, in the order of the sides; -1 if there is none. */
  neighbors: Int32Array = new Int32Array(0);
  /** The innermost group that contains each vertex, or -1. */
  group: Int32Array = new Int32Array(0);
  /** The vertices of each node's ports; -1 if a port is blocked. */
  readonly ports: Int32Array;
  /** The vertices of the `via` points, in order. */
  viaVertices: readonly number[] = [];
  /** Whether the map is too large to route. */
  isTooLarge = false;
  readonly #tracks: Track[] = [];
  readonly #byPosition = new Map<number, Track[]>();
  readonly #vertexAt = new Map<number, number>();
  readonly #xs: number[] = [];
  readonly #ys: number[] = [];

  /** If `window` is given, only the part of the map that overlaps it is included. */
  constructor(input: RouteInput, window: Rect | null = null) {
    this.input = input;
    const via = input.lines.flatMap((line) => line.via ?? []);
    this.obstacles = new Obstacles(input.nodes, window, via);
    this.ports = new Int32Array(input.nodes.length * PORTS).fill(-1);
    for (const node of [...this.obstacles.cards, ...this.obstacles.groups]) this.#addTracksAround(node);
    const exits = this.#exits();
    for (const { x, y } of via) {
      this.#addTrack(true, x, y);
      this.#addTrack(false, y, x);
    }
    this.#connect(exits, via);
  }

  get size(): number {
    return this.x.length;
  }

  /** The vertex at a point, or -1. */
  vertexAt({ x, y }: Point): number {
    return this.#vertexAt.get(placeKey(x, y)) ?? -1;
  }

  #addTracksAround(node: number): void {
    const { x, y, width, height } = this.input.nodes[node] as Rect;
    for (const side of [NORTH, EAST, SOUTH, WEST]) {
      const gap = this.obstacles.gap(node, side);
      const distance = gap <= wideGap ? gap / 2 : wideOffset;
      if (distance < clearance) continue;
      const isVertical = side === EAST || side === WEST;
      const middle = isVertical ? y + height / 2 : x + width / 2;
      const edge = edgeOf({ x, y, width, height }, side);
      this.#addTrackUnlessNear(isVertical, edge + direction(side) * distance, middle);
    }
  }

  /** Skips tracks close to an existing track of the same extent. */
  #addTrackUnlessNear(isVertical: boolean, position: number, along: number): void {
    const low = this.obstacles.reach(isVertical, onHalf(position), along, -1);
    const high = this.obstacles.reach(isVertical, onHalf(position), along, 1);
    const isCovered = (track: Track) =>
      track.low <= along && along <= track.high && track.low <= low + 1 && track.high >= high - 1;
    for (let shift = 0.5; shift <= mergeDistance; shift += 0.5) {
      for (const other of [position - shift, position + shift])
        if (this.#byPosition.get(trackKey(isVertical, onHalf(other)))?.some(isCovered)) return;
    }
    this.#addTrack(isVertical, position, along);
  }

  #addTrack(isVertical: boolean, wanted: number, along: number): void {
    const position = onHalf(wanted);
    const key = trackKey(isVertical, position);
    const same = this.#byPosition.get(key);
    if (same?.some(({ low, high }) => low <= along && along <= high)) return;
    const low = this.obstacles.reach(isVertical, position, along, -1);
    const high = this.obstacles.reach(isVertical, position, along, 1);
    if (high - low < 2) return;
    const track = { isVertical, position, low, high, vertices: [] };
    this.#tracks.push(track);
    if (same) same.push(track);
    else this.#byPosition.set(key, [track]);
  }

  /** Tracks that leave nodes at right angles. */
  #exits(): Exit[] {
    const exits: Exit[] = [];
    for (const node of [...this.obstacles.cards, ...this.obstacles.groups]) {
      const rect = this.input.nodes[node] as RouteNode;
      for (const port of rect.isGroup ? [NORTH, EAST, SOUTH, WEST, INNER] : [NORTH, EAST, SOUTH, WEST]) {
        const { x, y } = portPoint(rect, port);
        const isVertical = port !== EAST && port !== WEST;
        const [position, from] = isVertical ? [x, y] : [y, x];
        const end = this.obstacles.reach(isVertical, position, from + direction(port) * 0.5, direction(port));
        if (Math.abs(end - from) < minExit) continue;
        const track = {
          isVertical,
          position,
          low: Math.min(from, end),
          high: Math.max(from, end),
          vertices: [],
        };
        this.#tracks.push(track);
        exits.push({ node, port, track });
      }
    }
    return exits;
  }

  #connect(exits: readonly Exit[], via: readonly Point[]): void {
    this.#intersect();
    this.viaVertices = via.map(({ x, y }) => this.#vertex(onHalf(x), onHalf(y)));
    for (const { node, port, track } of exits) {
      const { x, y } = portPoint(this.input.nodes[node] as RouteNode, port);
      const vertex = this.#vertex(x, y);
      track.vertices.push(vertex);
      this.ports[node * PORTS + port] = vertex;
    }
    this.x = Float64Array.from(this.#xs);
    this.y = Float64Array.from(this.#ys);
    this.neighbors = new Int32Array(this.size * 4).fill(-1);
    for (const track of this.#tracks) this.#linkAlong(track);
    this.group = this.#groupsOfVertices();
  }

  #intersect(): void {
    const vertical = this.#tracks.filter((track) => track.isVertical);
    vertical.sort((one, other) => one.position - other.position);
    const positions = Float64Array.from(vertical, ({ position }) => position);
    for (const track of this.#tracks) {
      if (track.isVertical) continue;
      for (let at = firstAtLeast(positions, track.low); at < positions.length; at++) {
        const x = positions[at] as number;
        if (x > track.high) break;
        const other = vertical[at] as Track;
        if (other.low > track.position || track.position > other.high) continue;
        const vertex = this.#vertex(x, track.position);
        track.vertices.push(vertex);
        other.vertices.push(vertex);
      }
      if (this.#xs.length > rules.limits.vertices) {
        this.isTooLarge = true;
        return;
      }
    }
  }

  #vertex(x: number, y: number): number {
    const key = placeKey(x, y);
    const known = this.#vertexAt.get(key);
    if (known !== undefined) return known;
    const vertex = this.#xs.push(x) - 1;
    this.#ys.push(y);
    this.#vertexAt.set(key, vertex);
    return vertex;
  }

  #linkAlong({ isVertical, vertices }: Track): void {
    const along = isVertical ? this.y : this.x;
    vertices.sort((one, other) => (along[one] as number) - (along[other] as number));
    const [back, ahead] = isVertical ? [NORTH, SOUTH] : [WEST, EAST];
    for (let at = 1; at < vertices.length; at++) {
      const [one, other] = [vertices[at - 1] as number, vertices[at] as number];
      if (one === other) continue;
      this.#link(one, ahead, other);
      this.#link(other, back, one);
    }
  }

  /** If two tracks overlap, keep the closer neighbor. */
  #link(from: number, side: number, to: number): void {
    const known = this.neighbors[from * 4 + side] as number;
    if (known < 0 || this.distance(from, to) < this.distance(from, known))
      this.neighbors[from * 4 + side] = to;
  }

  distance(one: number, other: number): number {
    return (
      Math.abs((this.x[one] as number) - (this.x[other] as number)) +
      Math.abs((this.y[one] as number) - (this.y[other] as number))
    );
  }

  #groupsOfVertices(): Int32Array {
    const groups = new Int32Array(this.size).fill(-1);
    const byX = Uint32Array.from(this.x.keys()).sort(
      (one, other) => (this.x[one] as number) - (this.x[other] as number),
    );
    const sorted = Float64Array.from(byX, (vertex) => this.x[vertex] as number);
    // Outer groups come before nested groups.
    for (const node of this.obstacles.groups) {
      const { x, y, width, height } = this.input.nodes[node] as Rect;
      for (let at = firstAtLeast(sorted, x); at < sorted.length; at++) {
        const left = sorted[at] as number;
        if (left >= x + width) break;
        const vertex = byX[at] as number;
        const top = this.y[vertex] as number;
        if (left > x && top > y && top < y + height) groups[vertex] = node;
      }
    }
    return groups;
  }
}

/** The point where a line leaves a node. */
export function portPoint({ x, y, width, height }: RouteNode, port: number): Point {
  if (port === INNER) return { x: x + innerPort.x, y: y + innerPort.y };
  if (port === NORTH) return { x: x + width / 2, y };
  if (port === SOUTH) return { x: x + width / 2, y: y + height };
  return { x: port === WEST ? x : x + width, y: y + height / 2 };
}

/** The coordinate of a side: x for left and right, y for top and bottom. */
export function edgeOf({ x, y, width, height }: Rect, port: number): number {
  if (port === NORTH) return y;
  if (port === SOUTH) return y + height;
  if (port === INNER) return y + innerPort.y;
  return port === WEST ? x : x + width;
}

function direction(port: number): 1 | -1 {
  return port === NORTH || port === WEST ? -1 : 1;
}

function trackKey(isVertical: boolean, position: number): number {
  return (isVertical ? 1 : -1) * (position + 1e9);
}

function placeKey(x: number, y: number): number {
  return Math.round(x * 2) * 67108864 + Math.round(y * 2);
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
