/**
 * Input and output of the line router. The router knows rectangles and lines only, so that the cases in `cases` can be
 * held against any other implementation.
 */
import type { Point, Rect } from '../scene/geometry';

export interface RouteNode extends Rect {
  /** Lines may cross the border of a group, but not a card. */
  isGroup: boolean;
  /** Index of the enclosing group, -1 without one. */
  parent: number;
  /** Parts of a group's title that lines must not cross: the name and the collapse button. */
  titles: readonly Rect[];
}

export interface RouteLine {
  /** Indexes of nodes. */
  from: number;
  to: number;
  typeId: string;
  /** A line with a label of its own never joins a trunk. */
  hasLabel: boolean;
  /** Index among the lines between the same two nodes. */
  lane: number;
  /** Points that the line must pass, in order. */
  via?: readonly Point[];
  /** A straight line is not routed. */
  shape?: 'straight';
  /** Where the middle of the label is, from 0 at the start of the line to 1 at its end. */
  labelAt?: number;
}

export interface RouteInput {
  nodes: readonly RouteNode[];
  lines: readonly RouteLine[];
}

/** Sides of a node, and the port below the title of a group for lines to its contents. */
export const NORTH = 0;
export const EAST = 1;
export const SOUTH = 2;
export const WEST = 3;
export const INNER = 4;
export const PORTS = 5;

/** The course of a line along tracks, before lines on the same track are spread. */
export interface TrackPath {
  points: readonly Point[];
  /** The ports at its start and end. */
  ports: readonly [number, number];
  /** Lines of one trunk are drawn on top of each other; -1 without one. */
  trunk: number;
  /** Loops stay where they are; other lines are spread around them. */
  isFixed?: boolean;
  /** Points that spreading must not move. */
  pinned?: readonly Point[];
  /** Search result: the cost, and the edges of the track graph that the path uses. */
  cost?: number;
  edges?: readonly number[];
}

export interface RouteResult {
  /** By line. Null: the line is not routed, and drawn straight. */
  paths: readonly (TrackPath | null)[];
  /** The polylines to draw. */
  points: readonly (readonly Point[] | null)[];
  /** By line and piece: the coordinate across the piece after spreading. */
  offsets: readonly (readonly number[] | null)[];
}
