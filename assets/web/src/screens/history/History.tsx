/** The history screen: change sets, past states, comparisons and saved versions. */
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
  { id: '', name: 'All changes' },
  { id: 'component', name: 'Components' },
  { id: 'relationship', name: 'Relationships' },
  { id: 'process', name: 'Processes' },
  { id: 'decision', name: 'Decisions' },
  { id: 'stakeholder', name: 'Stakeholders' },
  { id: 'note', name: 'Notes, frames and images' },
  { id: 'link', name: 'Links' },
  { id: 'workspace', name: 'Workspace' },
  { id: 'member', name: 'Access' },
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
                label="Type"
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
                label="User"
                value={String(which.actor)}
                onChange={(event) => setWhich({ ...which, actor: Number(event.currentTarget.value) })}
              >
                <option value="0">Everyone</option>
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
                ? 'No changes match. Choose “All changes” and “Everyone” to see the full history.'
                : 'No changes yet. Every change to this workspace is listed here.'
            }
          />
        </section>
        <Versions />
      </div>
    </div>
  );
}

/** Authors seen so far, the current user first. Not affected by filters. */
function useActors(changeSets: readonly PastChangeSet[]): { id: number; displayName: string }[] {
  const user = useSession((state) => state.user);
  const known = useRef(new Map<number, string>());
  return useMemo(() => {
    if (user) known.current.set(user.id, user.displayName);
    for (const { actor } of changeSets) if (actor) known.current.set(actor.id, actor.displayName);
    return [...known.current].map(([id, displayName]) => ({ id, displayName }));
  }, [changeSets, user]);
}
