/** Author and time of creation and of the last change. */
import type { RowMetadata } from '@/api/generated';
import { RelativeTime } from '@/ui/RelativeTime';
import { useAuthor } from './authors';
import facts from './Facts.module.css';
import styles from './Inspector.module.css';

export function Timestamps({ row, id }: { row: RowMetadata; id: string }) {
  const author = useAuthor();
  // Unsaved rows have no timestamps.
  if (row.revision === 0) return <p className={styles.hint}>Not saved yet.</p>;
  return (
    <dl className={facts.timestamps}>
      <dt>ID</dt>
      <dd>
        <code>{id}</code>
      </dd>
      <dt>Created</dt>
      <dd>
        <RelativeTime time={row.createdAt} /> {byAuthor(author(row.createdBy))}
      </dd>
      <dt>Updated</dt>
      <dd>
        <RelativeTime time={row.updatedAt} /> {byAuthor(author(row.updatedBy))}
      </dd>
      <dt>Revision</dt>
      <dd>{row.revision}</dd>
    </dl>
  );
}

function byAuthor(name: string | undefined): string {
  return name ? `by ${name}` : '';
}
