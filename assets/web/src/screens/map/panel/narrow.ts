/** Windows that have no room for a panel beside the map: phones, and small tablets held upright. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 48rem)').matches;
}
