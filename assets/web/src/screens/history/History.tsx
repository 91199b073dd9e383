/** Who changed what, gesture by gesture; the map as it was, what differs, and states that were given a name. */
import { useMemo, useRef, useState } from 'react';
import { useSession } from '@/api/session';
import type { PastChangeSet } from '@/core/history/changeSets';
import { SelectField } from '@/ui/Field';
import { ChangeSetList } from './ChangeSetList';
import { ComparisonBase } from './ComparisonBase';
import styles from './history.module.css';
import { type HistoryFilter, useHistory } from './useHistory';
import { Versions } from './Versions';

const KINDS: readonly { id: HistoryFilter['entity']; name: string }[] = [
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
  const [which, setWhich] = useState<HistoryFilter>({ entity: '', actor: 0 });
  const [base, setBase] = useState<PastChangeSet | null>(null);
  const history = useHistory(which);
  const people = useActors(history.changeSets);
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
                  setWhich({ ...which, entity: event.currentTarget.value as HistoryFilter['entity'] })
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
          {base && <ComparisonBase base={base} onStop={() => setBase(null)} />}
          <ChangeSetList
            history={history}
            base={base}
            onMark={setBase}
            whenEmpty={
              which.entity || which.actor
                ? 'Nothing of this kind was written. Choose “Everything” and “Everybody” to see the rest.'
                : 'Nothing was written here yet. Whatever anybody changes from now on is told here, and can be looked at again.'
            }
          />
        </section>
        <Versions />
      </div>
    </div>
  );
}

/** Those who wrote something, as far as it was read; oneself first. Who was seen once stays, whatever is filtered. */
function useActors(changeSets: readonly PastChangeSet[]): { id: number; displayName: string }[] {
  const user = useSession((state) => state.user);
  const known = useRef(new Map<number, string>());
  return useMemo(() => {
    if (user) known.current.set(user.id, user.displayName);
    for (const { actor } of changeSets) if (actor) known.current.set(actor.id, actor.displayName);
    return [...known.current].map(([id, displayName]) => ({ id, displayName }));
  }, [changeSets, user]);
}
