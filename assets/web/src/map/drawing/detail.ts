/** How much cards show at a zoom. The size of a card does not depend on it. */

/** Far: fills, and names that do not overlap. Middle: names. Near: everything. */
export type Detail = 'far' | 'middle' | 'near';

/** Below this zoom a component is a spot of its color. */
export const MIN_SHAPE_ZOOM = 0.16;

const MIDDLE_ZOOM = 0.35;
const NEAR_ZOOM = 0.7;

export function detailAt(zoom: number): Detail {
  if (zoom < MIDDLE_ZOOM) return 'far';
  return zoom < NEAR_ZOOM ? 'middle' : 'near';
}
