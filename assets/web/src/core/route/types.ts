/**
 * Input and output of the line router. The router only handles rectangles and lines, so that other implementations can
 * be tested with the same `cases`.
 */
import type { Point, Rect } from '../scene/geometry';

export interface RouteNode extends Rect {
  /** Lines may cross the border of a group, but not a card. */
  isGroup: boolean;
  /** Index of the enclosing group, or -1. */
  parent: number;
  /** Parts of a group's title that lines must not cross: the name and the collapse button. */
  titles: readonly Rect[];
}

export interface RouteLine {
  /** Indexes of nodes. */
  from: number;
  to: number;
  typeId: string;
  /** Lines with labels never join a trunk. */
  hasLabel: boolean;
  /** Index among the lines between the same two nodes. */
  lane: number;
  /** Waypoints of the line, in order. */
  via?: readonly Point[];
  /** Straight lines are not routed. */
  shape?: 'straight';
  /** Position of the label's center along the line, from 0 (start) to 1 (end). */
  labelAt?: number;
}

export interface RouteInput {
  nodes: readonly RouteNode[];
  lines: readonly RouteLine[];
}

/** The sides of a node, and the port below a group's title for lines to the group's contents. */
export const NORTH = 0;
export const EAST = 1;
export const SOUTH = 2;
export const WEST = 3;
export const INNER = 4;
export const PORTS = 5;

/** The path of a line along tracks, before lines on the same track are spread. */
export interface TrackPath {
  points: readonly Point[];
  /** The ports at its start and end. */
  ports: readonly [number, number];
  /** Lines of the same trunk are drawn on top of each other; -1 if the line has no trunk. */
  trunk: number;
  /** Fixed paths, such as loops, do not move; other lines are spread around them. */
  isFixed?: boolean;
  /** Points that must not be moved by spreading. */
  pinned?: readonly Point[];
  /** The search result: the cost, and the edges of the track graph that the path uses. */
  cost?: number;
  edges?: readonly number[];
}

export interface RouteResult {
  /** By line; null if the line is not routed and drawn straight. */
  paths: readonly (TrackPath | null)[];
  /** The polylines to draw. */
  points: readonly (readonly Point[] | null)[];
  /** By line and piece: the coordinate of the piece after spreading. */
  offsets: readonly (readonly number[] | null)[];
}
