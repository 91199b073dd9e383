/** How much room there is for panels beside the map. */

/** Windows that have no room for a panel beside the map: phones, and small tablets held upright. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 48rem)').matches;
}

/** Windows that have room for one panel beside the map, not for two: tablets, and small notebooks. */
export function isMedium(): boolean {
  return matchMedia('(max-width: 72rem)').matches;
}
