/**
 * A virtualized grid with rows of equal height. Arrow keys move the focused cell, Enter edits, Escape cancels, Space
 * selects. A cell stays in edit mode when rows change.
 */
// biome-ignore-all lint/a11y/useSemanticElements: virtualized rows cannot be table rows
// biome-ignore-all lint/a11y/useFocusableInteractive: in the ARIA grid pattern, cells are focusable and rows are not
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles keyboard events of its cells
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useId, useMemo } from 'react';
import styles from './Grid.module.css';
import { GridRow } from './GridRow';
import type { GridColumn, GridProps } from './gridTypes';
import { PrintedTable } from './PrintedTable';
import { CHECK_WIDTH, HEADER, ROW_HEIGHT, useGrid } from './useGrid';

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
  const screen = (
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
                handlers={grid.handlers}
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
  return (
    <>
      {screen}
      <PrintedTable label={label} rows={rows} columns={columns} keyOf={keyOf} />
    </>
  );
}
