/** Who changed what, gesture by gesture; the map as it was, what differs, and states that were given a name. */

import { useEffect, useMemo, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import { usePeople, useTeams } from '@/app/queries';
import type { NameOf, PastGesture } from '@/core/history/gestures';
import { moment } from '@/core/time/moment';
import { usePlan } from '@/plan/store';
import { Button } from '@/ui/Button';
import { Failure } from '@/ui/Failure';
import { SelectField } from '@/ui/Field';
import { Waiting } from '@/ui/Waiting';
import { Gesture } from './Gesture';
import styles from './history.module.css';
import { useHistory, type Which } from './useHistory';
import { Versions } from './Versions';

const KINDS: readonly { id: Which['entity']; name: string }[] = [
  { id: '', name: 'Everything' },
  { id: 'component', name: 'Components' },
  { id: 'relationship', name: 'Relationships' },
  { id: 'process', name: 'Processes' },
  { id: 'stakeholder', name: 'Stakeholders' },
  { id: 'link', name: 'Links' },
  { id: 'workspace', name: 'The workspace itself' },
  { id: 'member', name: 'Who has access' },
];

export default function HistoryScreen() {
  const [which, setWhich] = useState<Which>({ entity: '', actor: 0 });
  const [base, setBase] = useState<PastGesture | null>(null);
  const history = useHistory(which);
  const nameOf = useNames();
  const people = useActors(history.gestures);
  const now = useNow();
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
    <div className={styles.table}>
      <div className={styles.page}>
        <section className={styles.log} aria-labelledby="history-title">
          <div className={styles.head}>
            <h2 id="history-title">History</h2>
            <div className={styles.filters}>
              <SelectField
                label="What"
                value={which.entity}
                onChange={(event) =>
                  setWhich({ ...which, entity: event.currentTarget.value as Which['entity'] })
                }
              >
                {KINDS.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </SelectField>
              <SelectField
                label="Who"
                value={String(which.actor)}
                onChange={(event) => setWhich({ ...which, actor: Number(event.currentTarget.value) })}
              >
                <option value="0">Everybody</option>
                {people.map(({ id, displayName }) => (
                  <option key={id} value={id}>
                    {displayName}
                  </option>
                ))}
              </SelectField>
            </div>
          </div>
          {base && (
            <p className={styles.marked} role="status">
              <span>
                Comparing from {moment(base.ts)}. Choose <em>Compare with the marked one</em> at another
                entry.
              </span>
              <Button onClick={() => setBase(null)}>Stop</Button>
            </p>
          )}
          {history.error && !history.data && (
            <Failure error={history.error} onRetry={() => void history.refetch()} />
          )}
          {history.isPending && !history.error && <Waiting what="the history" />}
          {history.data && history.gestures.length === 0 && (
            <p className={styles.empty}>
              {which.entity || which.actor
                ? 'Nothing of this kind was written. Choose “Everything” and “Everybody” to see the rest.'
                : 'Nothing was written here yet. Whatever anybody changes from now on is told here, and can be looked at again.'}
            </p>
          )}
          <ol className={styles.list} aria-label="What was changed, the newest first">
            {history.gestures.map((gesture) => (
              <Gesture
                key={gesture.batch}
                gesture={gesture}
                now={now}
                nameOf={nameOf}
                oldest={history.oldestRevision}
                base={base}
                onMark={setBase}
              />
            ))}
          </ol>
          <div ref={more} className={styles.more}>
            {hasNextPage && (
              <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                Show what was before
              </Button>
            )}
          </div>
        </section>
        <Versions now={now} />
      </div>
    </div>
  );
}

/** Names of what changes refer to, as they are today. */
function useNames(): NameOf {
  const rows = usePlan((plan) => plan.rows);
  const people = usePeople().data?.people;
  const teams = useTeams().data?.teams;
  return useMemo(
    () => (entity, id) => {
      if (entity === 'component') return rows?.component.get(id)?.name;
      if (entity === 'person') return people?.find((one) => one.id === id)?.name;
      if (entity === 'user') return people?.find((one) => String(one.userId) === id)?.name;
      return teams?.find((one) => one.id === id)?.name;
    },
    [rows, people, teams],
  );
}

/** Those who wrote something, as far as it was read; oneself first. Who was seen once stays, whatever is filtered. */
function useActors(gestures: readonly PastGesture[]): { id: number; displayName: string }[] {
  const user = useSession((state) => state.user);
  const known = useRef(new Map<number, string>());
  return useMemo(() => {
    if (user) known.current.set(user.id, user.displayName);
    for (const { actor } of gestures) if (actor) known.current.set(actor.id, actor.displayName);
    return [...known.current].map(([id, displayName]) => ({ id, displayName }));
  }, [gestures, user]);
}

/** The present, as exactly as it is told. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
