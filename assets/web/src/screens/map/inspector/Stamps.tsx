/** Author and time of creation and of the last change. */
import type { Written } from '@/api/generated';
import { moment } from '@/core/time/moment';
import { useAuthor } from './authors';
import facts from './Facts.module.css';
import styles from './Inspector.module.css';

export function Stamps({ row, id }: { row: Written; id: string }) {
  const author = useAuthor();
  // An unsaved row has no timestamps yet.
  if (row.revision === 0) return <p className={styles.hint}>Not saved yet.</p>;
  return (
    <dl className={facts.stamps}>
      <dt>ID</dt>
      <dd>
        <code>{id}</code>
      </dd>
      <dt>Created</dt>
      <dd>
        <Moment at={row.createdAt} /> {by(author(row.createdBy))}
      </dd>
      <dt>Updated</dt>
      <dd>
        <Moment at={row.updatedAt} /> {by(author(row.updatedBy))}
      </dd>
      <dt>Revision</dt>
      <dd>{row.revision}</dd>
    </dl>
  );
}

function by(name: string | undefined): string {
  return name ? `by ${name}` : '';
}

function Moment({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{moment(at)}</time>;
}
