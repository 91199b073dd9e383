/**
 * A virtualized grid with rows of equal height. Arrow keys move the focused cell, Enter edits, Escape cancels, Space
 * selects. A cell stays in edit mode while rows change.
 */
// biome-ignore-all lint/a11y/useSemanticElements: rows that are drawn only in sight cannot be those of a <table>
// biome-ignore-all lint/a11y/useFocusableInteractive: as in the pattern of a grid, cells have the focus and rows do not
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid hears the keys of its cells
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useId, useMemo } from 'react';
import styles from './Grid.module.css';
import { GridRow } from './GridRow';
import { CHECK_WIDTH, HEADER, ROW_HEIGHT, useGrid } from './useGrid';

export interface GridChoice {
  id: string;
  name: string;
}

export interface GridColumn<Row> {
  id: string;
  name: string;
  /** Width in pixels. */
  width: number;
  /** Whether the column takes the remaining width. */
  grows?: boolean | undefined;
  align?: 'end' | undefined;
  text: (row: Row) => string;
  /** Renders the cell instead of its text. */
  render?: ((row: Row) => ReactNode) | undefined;
  /** The editor: a line, a long text or a select. Read-only without it. */
  editor?: 'text' | 'long' | readonly GridChoice[] | undefined;
  /** The initial text of the editor, if it differs from the text shown. */
  raw?: ((row: Row) => string) | undefined;
}

export interface GridProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The accessible name of a row. */
  nameOf: (row: Row) => string;
  columns: readonly GridColumn<Row>[];
  sort: { column: string; descending: boolean };
  onSort: (column: string) => void;
  selected: ReadonlySet<string>;
  onSelect: (keys: ReadonlySet<string>) => void;
  /** Saves a cell. Gets the row as it was when editing began. Returns an error message if the text is invalid. */
  onEdit?: ((row: Row, column: string, text: string) => string | undefined) | undefined;
  /** Deletes the selected rows, or the focused one. */
  onRemove?: ((keys: readonly string[]) => void) | undefined;
  /** Called when text with several cells is pasted. */
  onPaste?: ((text: string) => void) | undefined;
  /** A row to focus as soon as it exists. */
  goTo?: string | undefined;
  /** Shown if there are no rows. */
  children?: ReactNode;
}

export function Grid<Row>(props: GridProps<Row>) {
  const { label, rows, columns, sort, selected, keyOf, children } = props;
  const id = useId();
  const grid = useGrid(props, id);
  const template = useMemo(
    () =>
      `${CHECK_WIDTH}px ${columns.map(({ width, grows }) => (grows ? `minmax(${width}px, 1fr)` : `${width}px`)).join(' ')}`,
    [columns],
  );
  const least = columns.reduce((sum, { width }) => sum + width, CHECK_WIDTH);
  const all = rows.length > 0 && rows.every((row) => selected.has(keyOf(row)));
  return (
    <div
      ref={grid.scroller}
      className={styles.grid}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      onScroll={grid.onScroll}
      onKeyDown={grid.onKeyDown}
      onFocus={grid.onFocus}
      onBlur={grid.onBlur}
      onPaste={grid.onPaste}
    >
      <div role="rowgroup" className={styles.head} style={{ minWidth: least }}>
        <div
          role="row"
          aria-rowindex={1}
          className={styles.row}
          style={{ gridTemplateColumns: template, height: ROW_HEIGHT }}
        >
          <div
            role="columnheader"
            id={`${id}-${HEADER}-0`}
            aria-colindex={1}
            tabIndex={grid.tabIndex(HEADER, 0)}
            className={`${styles.cell} ${styles.check}`}
            onFocus={() => grid.activate(HEADER, 0)}
          >
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label="Select all"
              checked={all}
              onChange={() => grid.toggleAll()}
            />
          </div>
          {columns.map((column, at) => {
            const isSorted = sort.column === column.id;
            return (
              <div
                key={column.id}
                role="columnheader"
                id={`${id}-${HEADER}-${at + 1}`}
                aria-colindex={at + 2}
                aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : 'none'}
                tabIndex={grid.tabIndex(HEADER, at + 1)}
                className={`${styles.cell} ${styles.title}`}
                data-align={column.align}
                data-first={at === 0 || undefined}
                onFocus={() => grid.activate(HEADER, at + 1)}
                onClick={() => props.onSort(column.id)}
              >
                <span className={styles.text}>{column.name}</span>
                {isSorted &&
                  (sort.descending ? (
                    <ArrowDown size={14} aria-hidden className={styles.arrow} />
                  ) : (
                    <ArrowUp size={14} aria-hidden className={styles.arrow} />
                  ))}
              </div>
            );
          })}
        </div>
      </div>
      {grid.rows.length > 0 && (
        <div
          role="rowgroup"
          className={styles.body}
          style={{ height: grid.rows.length * ROW_HEIGHT, minWidth: least }}
        >
          {grid.inSight.map(({ row, at }) => {
            const key = keyOf(row);
            return (
              <GridRow
                key={key}
                gridId={id}
                row={row}
                rowKey={key}
                at={at}
                name={props.nameOf(row)}
                columns={columns as readonly GridColumn<unknown>[]}
                template={template}
                isSelected={selected.has(key)}
                focusable={grid.active.at === at ? grid.active.column : -1}
                editing={grid.editing?.key === key ? grid.editing : null}
                hands={grid.hands}
              />
            );
          })}
        </div>
      )}
      {grid.rows.length === 0 && (
        <div role="rowgroup">
          <div role="row">
            <div role="gridcell" className={styles.empty}>
              {children}
            </div>
          </div>
        </div>
      )}
    </div>
  );
}
