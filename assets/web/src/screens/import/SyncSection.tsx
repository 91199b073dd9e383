/** Rows of a preview with the same fate, with a check box for each that can be left out. */
import type { ReactNode } from 'react';
import type { SyncKind, SyncRow } from '@/api/generated';
import { countOfKind } from '@/core/importing/describe';
import { placeText } from '@/core/importing/places';
import { rowKey } from '@/core/importing/rowKey';
import { isChoosable } from '@/core/importing/selection';
import { truncate } from '@/core/text';
import styles from './Import.module.css';

/** Maximum number of rows listed per kind. The check box of the kind applies to all. */
const MAX_SHOWN = 200;

export interface SectionProps {
  title: string;
  tone: 'good' | 'warn' | 'alarm' | 'plain';
  icon: ReactNode;
  /** What happens with the rows, and options. */
  about?: ReactNode;
  rows: readonly SyncRow[];
  /** Whether a row is chosen. Absent if nothing can be chosen. */
  isChosen?: ((row: SyncRow) => boolean) | undefined;
  onChoose?: ((rows: readonly SyncRow[], isChosen: boolean) => void) | undefined;
  /** More about a row. */
  detail?: ((row: SyncRow) => ReactNode) | undefined;
}

const KINDS: readonly SyncKind[] = ['component', 'relationship', 'process', 'view', 'stakeholder', 'link'];
/** The kind that is listed at once. Those of others are opened on request. */
const OPEN: SyncKind = 'component';

export function SyncSection(props: SectionProps) {
  const { title, tone, icon, about, rows } = props;
  if (rows.length === 0) return null;
  return (
    <section className={styles.part} data-tone={tone}>
      <h3 className={styles.heading}>
        {icon} {title}
      </h3>
      {about && <div className={styles.about}>{about}</div>}
      {KINDS.map((kind) => {
        const ofKind = rows.filter((row) => row.kind === kind);
        return ofKind.length > 0 && <OfKind key={kind} {...props} kind={kind} rows={ofKind} />;
      })}
    </section>
  );
}

function OfKind({ title, kind, rows, isChosen, onChoose, detail }: SectionProps & { kind: SyncKind }) {
  const isFixed = !isChosen || !onChoose || !isChoosable({ kind });
  const chosen = isFixed ? rows.length : rows.filter(isChosen).length;
  const text = countOfKind(kind, rows.length);
  const some = truncate(
    rows
      .slice(0, 4)
      .map(({ name }) => name)
      .join(', '),
    120,
  );
  return (
    <div className={styles.chosenKind} data-fixed={isFixed || undefined}>
      {!isFixed && (
        <input
          type="checkbox"
          aria-label={`${title}: all ${text}`}
          checked={chosen === rows.length}
          ref={(box) => {
            if (box) box.indeterminate = chosen > 0 && chosen < rows.length;
          }}
          onChange={(event) => onChoose(rows, event.currentTarget.checked)}
        />
      )}
      <details className={styles.kind} open={kind === OPEN}>
        <summary>
          <strong>{chosen === rows.length ? text : `${chosen.toLocaleString('en')} of ${text}`}</strong>{' '}
          <span className={styles.some}>{some}</span>
        </summary>
        <ul className={styles.rows} aria-label={`${title}: ${text}`}>
          {rows.slice(0, MAX_SHOWN).map((row) => (
            <Row key={rowKey(row)} row={row} isChosen={isFixed || isChosen(row)} detail={detail}>
              {!isFixed && (
                <input
                  type="checkbox"
                  aria-label={row.name}
                  checked={isChosen(row)}
                  onChange={(event) => onChoose([row], event.currentTarget.checked)}
                />
              )}
            </Row>
          ))}
          {rows.length > MAX_SHOWN && (
            <li className={styles.soft}>… and {(rows.length - MAX_SHOWN).toLocaleString('en')} more</li>
          )}
        </ul>
      </details>
    </div>
  );
}

interface RowProps {
  row: SyncRow;
  isChosen: boolean;
  detail: SectionProps['detail'];
  /** The check box, if the row can be left out. */
  children: ReactNode;
}

function Row({ row, isChosen, detail, children }: RowProps) {
  return (
    <li className={styles.row} data-out={!isChosen || undefined}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the check box is a child, if the row has one */}
      <label className={styles.rowName}>
        {children}
        <span>{truncate(row.name, 200)}</span>
      </label>
      {row.file && <code className={styles.place}>{placeText(row.file, row.line)}</code>}
      {isChosen && detail?.(row)}
    </li>
  );
}
