/** Level of detail of cards by zoom. It does not affect the size of cards. */

/** Far: fills, and names that do not overlap. Middle: names. Near: everything. */
export type Detail = 'far' | 'middle' | 'near';

/** Below this zoom, components are drawn as dots. */
export const MIN_SHAPE_ZOOM = 0.16;

/** Minimum zoom for the labels of all lines; below, they would be too small to read. */
export const MIN_LABEL_ZOOM = 0.7;

/** Minimum zoom for labels that are shown on request, such as that of a selected line. They are enlarged. */
export const MIN_REQUESTED_LABEL_ZOOM = 0.55;

/** The factor by which a label that is shown on request is enlarged, so that it is readable. */
export function labelScale(zoom: number): number {
  return Math.max(1, REQUESTED_LABEL_SIZE / zoom);
}

/** Size of an enlarged label on the screen relative to its size at 100%. */
const REQUESTED_LABEL_SIZE = 0.9;

const MIDDLE_ZOOM = 0.35;
const NEAR_ZOOM = 0.7;

export function detailAt(zoom: number): Detail {
  if (zoom < MIDDLE_ZOOM) return 'far';
  return zoom < NEAR_ZOOM ? 'middle' : 'near';
}
