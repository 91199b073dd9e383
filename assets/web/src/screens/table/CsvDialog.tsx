/** The preview of a CSV import. */

import { useMemo } from 'react';
import type { Catalogue } from '@/api/generated';
import type { Rows } from '@/core/sync/rows';
import { parseCsv } from '@/core/table/csv';
import { planSheetImport, sheetOperations } from '@/core/table/importSheet';
import { formatCount, truncate } from '@/core/text';
import { placementOperations } from '@/map/edits/frames';
import { importedPlaces } from '@/map/edits/importedPlaces';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { currentModel } from '@/workspace/model';
import { useTypes } from '@/workspace/types';
import { useHolders } from '@/workspace/useHolders';
import styles from './Table.module.css';
import { editTableWithToast } from './tableEdit';

interface Props {
  text: string;
  rows: Rows;
  catalogue: Catalogue;
  onClose: () => void;
}

/** Maximum number of names listed per kind. */
const MAX_NAMES = 200;
/** Maximum number of characters shown per name. */
const MAX_SHOWN_NAME = 200;

export function CsvDialog({ text, rows, catalogue, onClose }: Props) {
  const holders = useHolders();
  const types = useTypes((state) => state.types);
  const state = useMemo(() => {
    const model = currentModel();
    return planSheetImport(parseCsv(text), rows, catalogue, model && { holders, model }, types);
  }, [text, rows, catalogue, holders, types]);
  const { created, updated, unchanged, problems, matchesByName, ignored } = state;
  const count = created.length + updated.length;
  const run = () => {
    const summary = `${formatCount(created.length, 'new component')}, ${updated.length.toLocaleString('en')} changed`;
    const model = currentModel();
    if (model) {
      const places = importedPlaces(state);
      const inFile = new Set([
        ...created.map(({ id }) => id),
        ...updated.map(({ component }) => component.id),
      ]);
      editTableWithToast(`Import ${summary}`, `Imported ${summary}`, [
        ...sheetOperations(state, model, places),
        ...placementOperations(
          rows,
          [...places].filter(([id]) => !inFile.has(id)),
        ),
      ]);
    }
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="main" disabled={count === 0} onClick={run}>
        {count === 0 ? 'Nothing to import' : `Import ${formatCount(count, 'component')}`}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={onClose} title="Import components" footer={footer} wide>
      <p>
        {matchesByName
          ? 'This file has no Id column, so rows are matched by name and type. Renamed components are added as new components.'
          : 'Rows are matched by id, or by name and type if the id is empty.'}{' '}
        No components are deleted. Unknown columns become properties. You can undo the whole import.
      </p>
      {problems.length > 0 && (
        <Alert
          kind="warn"
          text={
            <div className={styles.importSummary}>
              <strong>{formatCount(problems.length, 'row')} with errors will be skipped:</strong>
              <Names names={problems} />
            </div>
          }
        />
      )}
      {created.length > 0 && (
        <section className={styles.importSummary}>
          <h3>{formatCount(created.length, 'component')} will be added</h3>
          <Names names={created.map(({ name }) => name)} />
        </section>
      )}
      {updated.length > 0 && (
        <section className={styles.importSummary}>
          <h3>{formatCount(updated.length, 'component')} will change</h3>
          <Names
            names={updated.map(
              ({ component, what }) =>
                `${component.name}: ${what.map((field) => FIELDS[field] ?? field).join(', ')}`,
            )}
          />
        </section>
      )}
      {unchanged > 0 && <p className={styles.soft}>{formatCount(unchanged, 'component')} unchanged</p>}
      {ignored.length > 0 && <p className={styles.soft}>Ignored columns: {ignored.join(', ')}</p>}
    </Dialog>
  );
}

const FIELDS: Record<string, string> = { typeId: 'type' };

function Names({ names }: { names: readonly string[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
    <ul tabIndex={0} aria-label="Names">
      {names.slice(0, MAX_NAMES).map((name, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may be equal, and the list never changes
        <li key={at}>{truncate(name, MAX_SHOWN_NAME)}</li>
      ))}
      {names.length > MAX_NAMES && <li>… and {(names.length - MAX_NAMES).toLocaleString('en')} more</li>}
    </ul>
  );
}
