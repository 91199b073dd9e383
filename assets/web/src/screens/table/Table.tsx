/** The map as tables of components and relationships, an alternative to the canvas for keyboards and screen readers. */
import { useSearchParams } from 'wouter';
import { useCatalogue } from '@/app/queries';
import { usePlan } from '@/plan/store';
import { Failure } from '@/ui/Failure';
import { Waiting } from '@/ui/Waiting';
import { ComponentTable } from './ComponentTable';
import { RelationshipTable } from './RelationshipTable';
import styles from './Table.module.css';

export default function Table() {
  const [query, setQuery] = useSearchParams();
  const { data: catalogue, error, refetch } = useCatalogue();
  const rows = usePlan((plan) => plan.rows);
  const of = query.get('of') === 'relationships' ? 'relationships' : 'components';
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!catalogue || !rows) return <Waiting what="the table" />;
  const tab = (id: typeof of, name: string, count: number) => (
    <button
      type="button"
      className={styles.tab}
      aria-pressed={of === id}
      onClick={() => setQuery(id === 'components' ? {} : { of: id }, { replace: true })}
    >
      {name} <span className={styles.number}>{count.toLocaleString('en')}</span>
    </button>
  );
  const tabs = (
    <fieldset className={styles.tabs} aria-label="Table content">
      {tab('components', 'Components', rows.component.size)}
      {tab('relationships', 'Relationships', rows.relationship.size)}
    </fieldset>
  );
  return of === 'components' ? (
    <ComponentTable rows={rows} catalogue={catalogue} tabs={tabs} />
  ) : (
    <RelationshipTable rows={rows} catalogue={catalogue} tabs={tabs} />
  );
}
