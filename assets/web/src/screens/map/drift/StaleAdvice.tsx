/** What to do about sources that were not synchronized for a while. */
import { staleAdvice } from '@/core/importing/stale';

export function StaleAdvice({ repository }: { repository: string | null | undefined }) {
  const { before, after } = staleAdvice(repository);
  return (
    <>
      {before}
      <code>planroom sync</code>
      {after}
    </>
  );
}
