/** Change sets, newest first, page by page, for the history screen and the map's panel. */
import { useEffect, useMemo, useRef } from 'react';
import type { PastChangeSet, RowNameLookup } from '@/core/history/changeSets';
import { usePeople, useTeams } from '@/data/queries';
import { Button } from '@/ui/Button';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { useWorkspace } from '@/workspace/store';
import { ChangeSetItem } from './ChangeSetItem';
import styles from './history.module.css';
import type { useHistory } from './useHistory';

interface Props {
  history: ReturnType<typeof useHistory>;
  /** The entry selected for comparison. */
  base: PastChangeSet | null;
  onMark: (changeSet: PastChangeSet) => void;
  whenEmpty: string;
  /** Whether to use the compact layout. */
  narrow?: boolean;
}

export function ChangeSetList({ history, base, onMark, whenEmpty, narrow = false }: Props) {
  const nameOf = useRowNames();
  const more = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = history;
  useEffect(() => {
    const end = more.current;
    if (!end || !hasNextPage || isFetchingNextPage) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage());
    watch.observe(end);
    return () => watch.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <>
      {history.error && !history.data && (
        <LoadError error={history.error} onRetry={() => void history.refetch()} />
      )}
      {history.isPending && !history.error && <Loading what="the history" />}
      {history.data && history.changeSets.length === 0 && <p className={styles.empty}>{whenEmpty}</p>}
      <ol className={styles.list} data-narrow={narrow || undefined} aria-label="Changes, newest first">
        {history.changeSets.map((changeSet) => (
          <ChangeSetItem
            key={changeSet.changeSetId}
            changeSet={changeSet}
            nameOf={nameOf}
            oldest={history.oldestRevision}
            base={base}
            onMark={onMark}
          />
        ))}
      </ol>
      <div ref={more} className={styles.more}>
        {hasNextPage && (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older changes
          </Button>
        )}
      </div>
    </>
  );
}

/** Current names of the rows that changes refer to. */
function useRowNames(): RowNameLookup {
  const rows = useWorkspace((state) => state.rows);
  const people = usePeople().data?.people;
  const teams = useTeams().data?.teams;
  return useMemo(
    () => (entity, id) => {
      if (entity === 'component' || entity === 'view') return rows?.[entity].get(id)?.name;
      if (entity === 'relationship') {
        const row = rows?.relationship.get(id);
        const name = (component: string) => rows?.component.get(component)?.name ?? component;
        return row && `${name(row.sourceId)} → ${name(row.targetId)}`;
      }
      if (entity === 'person') return people?.find((person) => person.id === id)?.name;
      if (entity === 'user') return people?.find((person) => String(person.userId) === id)?.name;
      return teams?.find((team) => team.id === id)?.name;
    },
    [rows, people, teams],
  );
}
