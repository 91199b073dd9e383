/** A time as people say it, with the exact one as a tip. */
import { fromNow, moment } from '@/core/time/format';

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
