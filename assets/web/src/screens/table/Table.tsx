/** The map as tables of components and relationships, an accessible alternative to the canvas. */
import { useSearchParams } from 'wouter';
import { useCatalogue } from '@/data/queries';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { useWorkspace } from '@/workspace/store';
import { ComponentTable } from './ComponentTable';
import { RelationshipTable } from './RelationshipTable';
import styles from './Table.module.css';

export default function Table() {
  const [query, setQuery] = useSearchParams();
  const { data: catalogue, error, refetch } = useCatalogue();
  const rows = useWorkspace((state) => state.rows);
  const of = query.get('of') === 'relationships' ? 'relationships' : 'components';
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!catalogue || !rows) return <Loading what="the table" />;
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
