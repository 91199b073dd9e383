/** Breakpoints for the panels of the map. */

/** Whether there is no space for a panel next to the map, as on phones and small tablets in portrait orientation. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 48rem)').matches;
}

/** Whether there is space for only one panel next to the map, as on tablets and small laptops. */
export function isMedium(): boolean {
  return matchMedia('(max-width: 72rem)').matches;
}
