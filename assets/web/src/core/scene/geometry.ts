/** Points and rectangles of the map, in map units: one is a pixel at zoom 1; y grows downwards. */

export interface Point {
  x: number;
  y: number;
}

export interface Rect extends Point {
  width: number;
  height: number;
}

/** The size of a component that is no box. Its `x` and `y` are its top left corner. */
export const NODE = { width: 180, height: 64 } as const;
