/** Formatting of times. Times of the API are Unix milliseconds. */

const FULL = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
/** Rounds future times up, so that a link created just now expires in 7 days, not in 6. */
const rounded = (count: number) => (count > 0 ? Math.round(count) : Math.trunc(count));
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Units from coarse to fine, in milliseconds. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Formats a time as `Nov 4, 2026, 2:03 PM`. */
export function formatDateTime(ms: number): string {
  return FULL.format(ms);
}

/** Formats a day as `Nov 4, 2026`, in the time zone of the browser by default. */
export function formatDay(ms: number, timeZone?: string): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone }).format(ms);
}

/** Formats a time relative to now: `3 days ago`, `in 7 days`, `just now`. */
export function formatRelative(ms: number, now = Date.now()): string {
  const unit = UNITS.find(([, length]) => Math.abs(ms - now) >= length);
  return unit ? RELATIVE.format(rounded((ms - now) / unit[1]), unit[0]) : 'just now';
}
