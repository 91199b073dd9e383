/** Breakpoints for panels beside the map. */

/** No room for a panel beside the map: phones and small tablets in portrait orientation. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 48rem)').matches;
}

/** Room for one panel beside the map: tablets and small laptops. */
export function isMedium(): boolean {
  return matchMedia('(max-width: 72rem)').matches;
}
