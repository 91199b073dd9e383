/** Moments as people say them. Times of the API are Unix milliseconds. */

const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** From the coarse to the fine, in milliseconds. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** As `4 Nov 2026, 14:03`. */
export function formatDateTime(ms: number): string {
  return FULL.format(ms);
}

/** As `3 days ago`, `in 7 days`, `just now`. */
export function formatRelative(ms: number, now = Date.now()): string {
  const unit = UNITS.find(([, length]) => Math.abs(ms - now) >= length);
  return unit ? RELATIVE.format(Math.trunc((ms - now) / unit[1]), unit[0]) : 'just now';
}
