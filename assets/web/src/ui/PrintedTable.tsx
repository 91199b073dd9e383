/** The rows of a grid as a table, on paper only: a grid renders only the rows that are visible. */
import type { GridColumn } from './gridTypes';
import styles from './PrintedTable.module.css';
import { usePrinting } from './usePrinting';

/** More would block the browser for seconds. */
export const MAX_PRINTED_ROWS = 5_000;

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly GridColumn<Row>[];
  keyOf: (row: Row) => string;
}

export function PrintedTable<Row>(props: Props<Row>) {
  return usePrinting() && props.rows.length > 0 ? <Printed {...props} /> : null;
}

function Printed<Row>({ label, rows, columns, keyOf }: Props<Row>) {
  return (
    <div className={styles.printed}>
      {rows.length > MAX_PRINTED_ROWS && (
        <p>
          The first {MAX_PRINTED_ROWS.toLocaleString('en')} of {rows.length.toLocaleString('en')} rows. Filter
          the table or export it as CSV to get the others.
        </p>
      )}
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ id, name, align }) => (
              <th key={id} scope="col" data-align={align}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_PRINTED_ROWS).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ id, align, text, render }) => (
                <td key={id} data-align={align}>
                  {render ? render(row) : text(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
