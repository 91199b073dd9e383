/** A time as people say it, with the exact one as a tip. */
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
