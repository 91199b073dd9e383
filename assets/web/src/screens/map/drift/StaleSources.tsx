/** Sources that were not synchronized for a while, because what the report says about them may be out of date. */
import { TriangleAlert } from 'lucide-react';
import { openDialog } from '@/actions/dialogs';
import type { ListedSource } from '@/api/generated';
import { staleGroups } from '@/core/importing/stale';
import { Button } from '@/ui/Button';
import { RelativeTime } from '@/ui/RelativeTime';
import styles from './Drift.module.css';
import { StaleAdvice } from './StaleAdvice';

export function StaleSources({ sources }: { sources: readonly ListedSource[] }) {
  const groups = staleGroups(sources);
  if (groups.length === 0) return null;
  return (
    <section className={styles.stale} aria-labelledby="stale-sources">
      <h3 id="stale-sources">
        <TriangleAlert size={16} aria-hidden /> Not synchronized for a while
      </h3>
      <ul className={styles.staleList}>
        {groups.map(({ repository, names, last }) => (
          <li key={repository}>
            <strong>{repository || 'Imported files'}</strong>: {names}, last synchronized{' '}
            <RelativeTime time={last.lastSyncAt} />
            {last.lastSyncBy && ` by ${last.lastSyncBy}`}. <StaleAdvice repository={repository} />
          </li>
        ))}
      </ul>
      <div>
        <Button onClick={() => openDialog('sources')}>Show sources</Button>
      </div>
    </section>
  );
}
