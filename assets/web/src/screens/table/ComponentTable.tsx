/** Components as rows: filtered, sorted, and edited in place or in bulk. */

import { Plus } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { usePageCommands } from '@/actions/pageCommands';
import type { Catalogue } from '@/api/generated';
import { setOwners, updateOperation } from '@/core/model/edits';
import { parentItems } from '@/core/model/parents';
import type { Rows } from '@/core/sync/rows';
import { allColumns, type Column, type ColumnChoice } from '@/core/table/columns';
import { type ComponentRow, componentRows } from '@/core/table/componentRows';
import { toCsv } from '@/core/table/csv';
import { chosenOwners, ownerChoices } from '@/core/table/owners';
import {
  filterRows,
  NO_TABLE_FILTER,
  type Sort,
  sortRows,
  type TableFilter,
} from '@/core/table/sortAndFilter';
import { formatCount, truncate } from '@/core/text';
import { formatDateTime } from '@/core/time/format';
import { useRoles } from '@/data/queries';
import { deletionOperations } from '@/map/edits/deletion';
import { setPartOf } from '@/map/edits/groups';
import { setSelection, useView } from '@/map/state/view';
import { Button } from '@/ui/Button';
import { download } from '@/ui/download';
import { EmptyState } from '@/ui/EmptyState';
import { fileName } from '@/ui/fileName';
import { Grid } from '@/ui/Grid';
import type { GridColumn } from '@/ui/gridTypes';
import { currentModel } from '@/workspace/model';
import { useHolders } from '@/workspace/useHolders';
import { AddComponentDialog } from './AddComponentDialog';
import { BulkBar } from './BulkBar';
import { ColoredChoice } from './ColoredChoice';
import { CsvDialog } from './CsvDialog';
import { RenameDialog } from './RenameDialog';
import { useSavedColumns } from './savedColumns';
import styles from './Table.module.css';
import { TableToolbar } from './TableToolbar';
import { editTable, editTableWithToast } from './tableEdit';

interface Props {
  rows: Rows;
  catalogue: Catalogue;
  tabs: ReactNode;
}

const keyOf = (line: ComponentRow) => line.id;
const nameOf = (line: ComponentRow) => line.component.name;

export function ComponentTable({ rows, catalogue, tabs }: Props) {
  const roles = useRoles().data?.types;
  const lines = useMemo(() => componentRows(rows, catalogue, roles ?? []), [rows, catalogue, roles]);
  const all = useMemo(() => allColumns(lines, catalogue), [lines, catalogue]);
  const { shown, toggle, isShown } = useSavedColumns(all);
  const [filter, setFilter] = useState<TableFilter>(NO_TABLE_FILTER);
  const [sort, setSort] = useState<Sort>({ column: 'name', descending: false });
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [csv, setCsv] = useState<string | null>(null);
  const [added, setAdded] = useState<string>();
  const chosen = useView((view) => view.selectedComponents);
  const mayEdit = rows.workspace.myRole === 'editor' || rows.workspace.myRole === 'owner';

  usePageCommands([
    mayEdit && { id: 'table.add', title: 'Add component', icon: Plus, run: () => setAdding(true) },
  ]);
  const found = useMemo(() => filterRows(lines, shown, filter), [lines, shown, filter]);
  const by = all.find(({ id }) => id === sort.column);
  const inOrder = useMemo(() => sortRows(found, by, sort.descending), [found, by, sort.descending]);
  const shownIds = shown.map(({ id }) => id).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns only depend on their IDs
  const columns = useMemo(() => shown.map(gridColumn), [shownIds, catalogue, all.length]);
  const holders = useHolders();
  const owners = useMemo(() => ownerChoices(holders, lines), [holders, lines]);
  const rowsNow = useRef(rows);
  rowsNow.current = rows;
  const ownerIds = owners.map(({ id, name }) => id + name).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change with every edit, their owners rarely
  const withOwners = useMemo(
    () =>
      columns.map((column) => {
        if (column.id === 'owners') return editable(column, owners);
        if (column.id !== 'partOf') return column;
        return { ...column, editor: ({ id }: ComponentRow) => parentItems(rowsNow.current, catalogue, [id]) };
      }),
    [columns, ownerIds],
  );
  const selected = useMemo(
    () => new Set([...chosen].filter((id) => rows.component.has(id))),
    [chosen, rows.component],
  );

  const onEdit = useCallback(
    (line: ComponentRow, columnId: string, text: string) => {
      if (columnId === 'owners') {
        const model = currentModel();
        const chosen = chosenOwners(text, holders);
        if (model) editTable(`Change owners of ${short(line)}`, setOwners(model, [line.id], chosen));
        return undefined;
      }
      if (columnId === 'partOf') {
        setPartOf([line.id], text || null);
        return undefined;
      }
      const column = all.find(({ id }) => id === columnId);
      const fields = column?.write?.(line.component, text);
      if (typeof fields === 'string') return fields;
      if (column && fields) {
        const label = `Change ${column.name.toLowerCase()} of ${short(line)}`;
        editTable(label, updateOperation('component', line.id, line.component, fields));
      }
      return undefined;
    },
    [all, holders],
  );
  const remove = (ids: readonly string[]) => {
    const removed = ids.flatMap((id) => rows.component.get(id) ?? []);
    const subject =
      removed.length === 1
        ? `“${truncate(removed[0]?.name ?? '', 60)}”`
        : formatCount(removed.length, 'component');
    const operations = deletionOperations(rows, new Set(ids));
    editTableWithToast(`Delete ${subject}`, `Deleted ${subject} and related items`, operations);
    setSelection([]);
  };
  // Without the ID, a component that is renamed in the file would be imported as a new component.
  const withId = shown.some(({ id }) => id === 'id')
    ? shown
    : [...shown, ...all.filter(({ id }) => id === 'id')];
  const saveCsv = () => download(`${fileName(rows.workspace.name)}.csv`, 'text/csv', toCsv(withId, inOrder));
  const sortBy = (column: string) =>
    setSort((now) => ({ column, descending: now.column === column && !now.descending }));

  return (
    <div className={styles.page}>
      <TableToolbar
        tabs={tabs}
        catalogue={catalogue}
        filter={filter}
        onFilter={setFilter}
        columns={all}
        isShown={isShown}
        onToggle={toggle}
        onExport={saveCsv}
        onCsv={mayEdit ? setCsv : undefined}
        onRename={mayEdit ? setRenaming : undefined}
        count={{ shown: inOrder.length, all: lines.length }}
      >
        {mayEdit ? (
          <Button kind="main" icon={<Plus size={18} aria-hidden />} onClick={() => setAdding(true)}>
            Add
          </Button>
        ) : (
          <span className={styles.hint}>View only</span>
        )}
      </TableToolbar>
      {selected.size > 0 && (
        <BulkBar rows={rows} catalogue={catalogue} selected={selected} mayEdit={mayEdit} onRemove={remove} />
      )}
      <div className={styles.grid}>
        <Grid
          label="Components"
          rows={inOrder}
          keyOf={keyOf}
          nameOf={nameOf}
          columns={withOwners}
          sort={sort}
          onSort={sortBy}
          selected={selected}
          onSelect={(keys) => setSelection(keys)}
          onEdit={mayEdit ? onEdit : undefined}
          onRemove={mayEdit ? remove : undefined}
          onPaste={mayEdit ? setCsv : undefined}
          goTo={added}
        >
          <EmptyTable
            isEmpty={lines.length === 0}
            mayEdit={mayEdit}
            onAll={() => setFilter(NO_TABLE_FILTER)}
          />
        </Grid>
      </div>
      <p className={styles.keys} aria-hidden>
        <kbd>↑↓←→</kbd> move <kbd>Enter</kbd> edit <kbd>Esc</kbd> cancel <kbd>Space</kbd> select{' '}
        <kbd>Shift ↑↓</kbd> select more <kbd>Del</kbd> delete
      </p>
      {adding && (
        <AddComponentDialog
          rows={rows}
          catalogue={catalogue}
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            setAdded(id);
            setFilter(NO_TABLE_FILTER);
          }}
        />
      )}
      {renaming !== null && (
        <RenameDialog
          rows={rows}
          from={renaming}
          onClose={() => setRenaming(null)}
          onRenamed={(to) => {
            // Keep a visible column visible under its new name.
            if (isShown(`property:${renaming}`) && !isShown(`property:${to}`)) toggle(`property:${to}`);
          }}
        />
      )}
      {csv !== null && (
        <CsvDialog text={csv} rows={rows} catalogue={catalogue} onClose={() => setCsv(null)} />
      )}
    </div>
  );
}

function EmptyTable({ isEmpty, mayEdit, onAll }: { isEmpty: boolean; mayEdit: boolean; onAll: () => void }) {
  if (!isEmpty) {
    return (
      <EmptyState title="No matches">
        <p>No components match your search and filters.</p>
        <Button onClick={onAll}>Clear filters</Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No components yet">
      <p>
        A component is any part of your system, such as a service, a database or an app.
        {mayEdit
          ? ' Add one with the button above, import a CSV file, or paste cells from a spreadsheet.'
          : ' You need edit access to add components.'}
      </p>
    </EmptyState>
  );
}

const short = ({ component }: ComponentRow) => truncate(component.name, 60);

/** Adds existing people and teams as choices to the owners column. */
function editable(
  column: GridColumn<ComponentRow>,
  choices: readonly ColumnChoice[],
): GridColumn<ComponentRow> {
  return { ...column, raw: (line) => line.ownersKey, editor: choices };
}

function gridColumn(column: Column): GridColumn<ComponentRow> {
  return {
    id: column.id,
    name: column.name,
    width: column.width,
    grows: column.kind === 'long',
    align: column.kind === 'number' ? 'end' : undefined,
    text: column.text,
    raw: column.raw,
    render: renderOf(column),
    editor: column.write ? (column.choices ?? (column.kind === 'long' ? 'long' : 'text')) : undefined,
  };
}

function renderOf(column: Column): GridColumn<ComponentRow>['render'] {
  const { kind, choices, order } = column;
  if (choices) return (line) => <ColoredChoice choice={find(column, line)} text={column.text(line)} />;
  return kind === 'time' && order ? (line) => <Moment time={order(line)} /> : undefined;
}

function Moment({ time }: { time: number }) {
  const exact = new Date(time).toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {formatDateTime(time)}
    </time>
  );
}

function find({ choices, raw, text }: Column, line: ComponentRow) {
  const id = (raw ?? text)(line);
  return choices?.find((choice) => choice.id === id);
}
