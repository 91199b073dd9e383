/** A relative time that is updated while it is visible, with the exact time as tooltip. */
import { formatDateTime, formatRelative } from '@/core/time/format';
import { useNow } from './useNow';

interface Props {
  /** Unix milliseconds. */
  time: number;
  className?: string | undefined;
}

export function RelativeTime({ time, className }: Props) {
  return (
    <time className={className} dateTime={new Date(time).toISOString()} title={formatDateTime(time)}>
      {formatRelative(time, useNow())}
    </time>
  );
}

/** The last use of a token or app. */
export function LastUse({ time }: { time: number | null }) {
  if (time === null) return 'never used';
  return (
    <>
      last used <RelativeTime time={time} />
    </>
  );
}
