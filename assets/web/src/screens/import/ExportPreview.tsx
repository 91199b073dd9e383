/** The preview of an import by kind and name. */

import { Minus, Pencil, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { truncate } from '@/core/text';
import type { ImportSummary, SummarySection } from '@/core/transfer/preview';
import { Alert } from '@/ui/Alert';
import styles from './Import.module.css';

/** Maximum number of names listed per kind. */
const MAX_NAMES = 200;

export function ExportPreview({
  preview: { created, updated, deleted, warnings, isNothing },
}: {
  preview: ImportSummary;
}) {
  return (
    <div className={styles.summary}>
      {isNothing && <p role="status">The workspace already matches the file.</p>}
      <Part title="Will be added" tone="good" icon={<Plus size={16} aria-hidden />} entries={created} />
      <Part title="Will change" tone="warn" icon={<Pencil size={16} aria-hidden />} entries={updated} />
      <Part title="Will be deleted" tone="alarm" icon={<Minus size={16} aria-hidden />} entries={deleted} />
      {warnings.length > 0 && (
        <Alert
          kind="warn"
          text={
            <ul className={styles.description}>
              {warnings.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          }
        />
      )}
    </div>
  );
}

interface Props {
  title: string;
  tone: string;
  icon: ReactNode;
  entries: readonly SummarySection[];
}

function Part({ title, tone, icon, entries }: Props) {
  if (entries.length === 0) return null;
  return (
    <section className={styles.part} data-tone={tone}>
      <h3 className={styles.heading}>
        {icon} {title}
      </h3>
      {entries.map(({ kind, names }) => (
        <details key={kind} className={styles.kind}>
          <summary>
            <strong>{kind}</strong>{' '}
            <span className={styles.some}>{truncate(names.slice(0, 4).join(', '), 160)}</span>
          </summary>
          <ul className={styles.names}>
            {names.slice(0, MAX_NAMES).map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal, and the list never changes
              <li key={at}>{name.slice(0, 200)}</li>
            ))}
            {names.length > MAX_NAMES && (
              <li>… and {(names.length - MAX_NAMES).toLocaleString('en')} more</li>
            )}
          </ul>
        </details>
      ))}
    </section>
  );
}
