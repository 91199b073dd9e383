/** A memoized row of a grid. */
// biome-ignore-all lint/a11y/useSemanticElements: virtualized rows cannot be table rows
// biome-ignore-all lint/a11y/useFocusableInteractive: in the ARIA grid pattern, cells are focusable and rows are not
// biome-ignore-all lint/a11y/noStaticElementInteractions: cells have a role that the linter does not detect
// biome-ignore-all lint/a11y/useAriaPropsSupportedByRole: cells have a role that the linter does not detect

import { memo, type ReactNode } from 'react';
import { truncate } from '@/core/text';
import styles from './Grid.module.css';
import { GridEditor } from './GridEditor';
import type { GridColumn } from './gridTypes';
import { type Editing, type GridHandlers, ROW_HEIGHT } from './useGrid';

interface Props {
  gridId: string;
  row: unknown;
  rowKey: string;
  at: number;
  name: string;
  columns: readonly GridColumn<unknown>[];
  template: string;
  isSelected: boolean;
  /** The index of the cell in the tab order; -1 if it is in another row. */
  focusable: number;
  editing: Editing | null;
  handlers: GridHandlers;
}

export const GridRow = memo(function GridRow(props: Props) {
  const { gridId, row, rowKey, at, name, columns, template, isSelected, focusable, editing, handlers } =
    props;
  return (
    <div
      role="row"
      aria-rowindex={at + 2}
      aria-selected={isSelected}
      className={styles.row}
      data-odd={at % 2 === 1 || undefined}
      style={{ gridTemplateColumns: template, height: ROW_HEIGHT, top: at * ROW_HEIGHT }}
    >
      <div
        role="gridcell"
        id={`${gridId}-${at}-0`}
        aria-colindex={1}
        tabIndex={focusable === 0 ? 0 : -1}
        className={`${styles.cell} ${styles.check}`}
        onFocus={() => handlers.activate(at, 0)}
      >
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${truncate(name, 80)}`}
          checked={isSelected}
          onClick={(event) => handlers.toggle(rowKey, event.shiftKey)}
          onChange={() => undefined}
        />
      </div>
      {columns.map((column, place) => {
        const isEdited = editing?.column === column.id;
        return (
          <div
            key={column.id}
            role={place === 0 ? 'rowheader' : 'gridcell'}
            id={`${gridId}-${at}-${place + 1}`}
            aria-colindex={place + 2}
            aria-readonly={!column.editor || !handlers.mayEdit || undefined}
            tabIndex={focusable === place + 1 && !isEdited ? 0 : -1}
            className={styles.cell}
            data-align={column.align}
            data-first={place === 0 || undefined}
            data-edited={isEdited || undefined}
            onFocus={(event) => event.target === event.currentTarget && handlers.activate(at, place + 1)}
            onDoubleClick={() => handlers.begin(at, place + 1)}
          >
            {isEdited && editing ? (
              <GridEditor column={column} editing={editing} handlers={handlers} name={name} />
            ) : (
              <Shown column={column} row={row} />
            )}
          </div>
        );
      })}
    </div>
  );
});

function Shown({ column, row }: { column: GridColumn<unknown>; row: unknown }): ReactNode {
  const text = column.text(row);
  // Cells show one line. The tooltip shows more, up to a limit.
  return (
    <span className={styles.text} title={text.length > 24 ? text.slice(0, 1000) : undefined}>
      {column.render ? column.render(row) : text.slice(0, 500)}
    </span>
  );
}
