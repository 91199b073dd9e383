/** The preview of a CSV import. */

import { useMemo } from 'react';
import type { Catalogue } from '@/api/generated';
import type { Rows } from '@/core/sync/rows';
import { readCsv } from '@/core/table/csv';
import { operationsOf, planOf } from '@/core/table/sheet';
import { counted } from '@/core/words';
import { Alarm } from '@/ui/Alarm';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { actAndTell } from './act';
import styles from './Table.module.css';

interface Props {
  text: string;
  rows: Rows;
  catalogue: Catalogue;
  onClose: () => void;
}

/** Maximum number of names listed per kind. */
const MOST = 200;

export function CsvDialog({ text, rows, catalogue, onClose }: Props) {
  const plan = useMemo(() => planOf(readCsv(text), rows, catalogue), [text, rows, catalogue]);
  const { created, updated, unchanged, problems, ignored } = plan;
  const count = created.length + updated.length;
  const run = () => {
    const what = `${counted(created.length, 'new component')}, ${updated.length.toLocaleString('en')} changed`;
    actAndTell(`Import ${what}`, `Imported ${what}`, operationsOf(plan, rows));
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" disabled={count === 0} onClick={run}>
        {count === 0 ? 'Nothing to import' : `Import ${counted(count, 'component')}`}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="Import components" footer={footer} wide>
      <p>
        Rows are matched by id, then by name. No components are deleted. Unknown columns become properties.
        You can undo the whole import.
      </p>
      {problems.length > 0 && (
        <Alarm
          kind="warn"
          text={
            <div className={styles.plan}>
              <strong>{counted(problems.length, 'row')} with errors will be skipped:</strong>
              <Names names={problems} />
            </div>
          }
        />
      )}
      {created.length > 0 && (
        <section className={styles.plan}>
          <h3>{counted(created.length, 'component')} will be added</h3>
          <Names names={created.map(({ name }) => name)} />
        </section>
      )}
      {updated.length > 0 && (
        <section className={styles.plan}>
          <h3>{counted(updated.length, 'component')} will change</h3>
          <Names
            names={updated.map(
              ({ component, what }) =>
                `${component.name}: ${what.map((field) => FIELDS[field] ?? field).join(', ')}`,
            )}
          />
        </section>
      )}
      {unchanged > 0 && <p className={styles.soft}>{counted(unchanged, 'component')} unchanged</p>}
      {ignored.length > 0 && <p className={styles.soft}>Ignored columns: {ignored.join(', ')}</p>}
    </Dialog>
  );
}

const FIELDS: Record<string, string> = { typeId: 'type' };

function Names({ names }: { names: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <ul tabIndex={0} aria-label="Names">
      {names.slice(0, MOST).map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal, and the list never changes
        <li key={at}>{name.length > 200 ? `${name.slice(0, 200)} …` : name}</li>
      ))}
      {names.length > MOST && <li>… and {(names.length - MOST).toLocaleString('en')} more</li>}
    </ul>
  );
}
