/** A relative time with the exact time as tooltip. */
import { fromNow, moment } from '@/core/time/moment';

interface Props {
  /** Unix milliseconds. */
  time: number;
  now?: number;
  className?: string | undefined;
}

export function When({ time, now, className }: Props) {
  return (
    <time className={className} dateTime={new Date(time).toISOString()} title={moment(time)}>
      {fromNow(time, now)}
    </time>
  );
}
