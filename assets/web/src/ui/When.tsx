/** A time as people say it, with the exact one as a tip. */

const UNITS = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** "3 hours ago", of Unix milliseconds. */
export function ago(time: number, now = Date.now()): string {
  const unit = UNITS.find(([, length]) => Math.abs(now - time) >= length);
  return unit ? relative.format(Math.round((time - now) / unit[1]), unit[0]) : 'just now';
}

export function When({ time }: { time: number }) {
  return (
    <time dateTime={new Date(time).toISOString()} title={exact.format(time)}>
      {ago(time)}
    </time>
  );
}
