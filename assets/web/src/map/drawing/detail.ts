/** Level of detail of cards by zoom. It does not affect the size of cards. */

/** Far: fills, and names that do not overlap. Middle: names. Near: everything. */
export type Detail = 'far' | 'middle' | 'near';

/** Below this zoom, components are drawn as dots. */
export const MIN_SHAPE_ZOOM = 0.16;

/** Minimum zoom for the labels of lines. */
export const MIN_LABEL_ZOOM = 0.55;

const MIDDLE_ZOOM = 0.35;
const NEAR_ZOOM = 0.7;

export function detailAt(zoom: number): Detail {
  if (zoom < MIDDLE_ZOOM) return 'far';
  return zoom < NEAR_ZOOM ? 'middle' : 'near';
}
