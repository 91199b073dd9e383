/** A relative time, with the exact time as tooltip. */
import { formatDateTime, formatRelative } from '@/core/time/format';

interface Props {
  /** Unix milliseconds. */
  time: number;
  now?: number;
  className?: string | undefined;
}

export function RelativeTime({ time, now, className }: Props) {
  return (
    <time className={className} dateTime={new Date(time).toISOString()} title={formatDateTime(time)}>
      {formatRelative(time, now)}
    </time>
  );
}
