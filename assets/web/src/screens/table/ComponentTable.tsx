/** Components as rows: filtered, sorted, and edited in place or in bulk. */

import { Plus } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { usePageCommands } from '@/actions/pageCommands';
import type { Catalogue } from '@/api/generated';
import { openAnchors } from '@/core/comments/overview';
import { setOwners, updateOperation } from '@/core/model/edits';
import { parentItems } from '@/core/model/parents';
import type { Rows } from '@/core/sync/rows';
import { allColumns, type Column, type ColumnChoice } from '@/core/table/columns';
import { type ComponentRow, componentRows } from '@/core/table/componentRows';
import { toCsv } from '@/core/table/csv';
import { chosenOwners, ownerChoices } from '@/core/table/owners';
import { sheetColumns } from '@/core/table/sheetColumns';
import { filterRows, NO_TABLE_FILTER, sortRows, type TableFilter } from '@/core/table/sortAndFilter';
import { formatTableQuery, knownFilter, parseTableQuery, type TableView } from '@/core/table/tableQuery';
import { formatCount, formatShown, truncate } from '@/core/text';
import { useCommentOverview } from '@/data/comments';
import { useKinds, useRoles } from '@/data/queries';
import { deletionOperations } from '@/map/edits/deletion';
import { setPartOf } from '@/map/edits/groups';
import { setSelection, useView } from '@/map/state/view';
import { useQueryState } from '@/routing/useQueryState';
import { Button } from '@/ui/Button';
import { downloadCsv } from '@/ui/download';
import { EmptyState } from '@/ui/EmptyState';
import { Grid } from '@/ui/Grid';
import type { GridColumn } from '@/ui/gridTypes';
import { RelativeTime } from '@/ui/RelativeTime';
import { showToast } from '@/ui/Toasts';
import { currentModel } from '@/workspace/model';
import { useTypes } from '@/workspace/types';
import { useHolders } from '@/workspace/useHolders';
import { AddComponentDialog } from './AddComponentDialog';
import { BulkBar } from './BulkBar';
import { ColoredChoice } from './ColoredChoice';
import { CsvDialog } from './CsvDialog';
import { RenameDialog } from './RenameDialog';
import { SavedFilters } from './SavedFilters';
import { useSavedColumns } from './savedColumns';
import styles from './Table.module.css';
import { TableToolbar } from './TableToolbar';
import { editTable, editTableWithToast } from './tableEdit';

interface Props {
  rows: Rows;
  catalogue: Catalogue;
  tabs: ReactNode;
}

const SORTED_BY = 'name';
const parseQuery = (query: string) => parseTableQuery(query, SORTED_BY);
const formatQuery = (query: string, view: TableView) => formatTableQuery(query, view, SORTED_BY);
const keyOf = (line: ComponentRow) => line.id;
const nameOf = (line: ComponentRow) => line.component.name;

export function ComponentTable({ rows, catalogue, tabs }: Props) {
  const roles = useRoles().data?.types;
  const { data: overview } = useCommentOverview(rows.workspace.id);
  const comments = useMemo(() => openAnchors(overview, 'component'), [overview]);
  const lines = useMemo(
    () => componentRows(rows, catalogue, roles ?? [], comments),
    [rows, catalogue, roles, comments],
  );
  const types = useTypes((state) => state.types);
  useKinds();
  const all = useMemo(() => allColumns(lines, catalogue, types), [lines, catalogue, types]);
  const { shown, toggle, isShown } = useSavedColumns(all);
  const [view, setTableView] = useQueryState(parseQuery, formatQuery);
  const filter = useMemo(() => knownFilter(view.filter, catalogue, types), [view.filter, catalogue, types]);
  const { sort } = view;
  const setFilter = (to: TableFilter) => setTableView({ ...view, filter: to });
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [csv, setCsv] = useState<string | null>(null);
  const [added, setAdded] = useState<string>();
  const chosen = useView((view) => view.selectedComponents);
  const mayEdit = rows.workspace.myRole === 'editor' || rows.workspace.myRole === 'owner';

  usePageCommands([
    mayEdit && { id: 'table.add', title: 'Add component', icon: Plus, run: () => setAdding(true) },
  ]);
  const found = useMemo(() => filterRows(lines, shown, filter, types), [lines, shown, filter, types]);
  const by = all.find(({ id }) => id === sort.column);
  const inOrder = useMemo(() => sortRows(found, by, sort.descending), [found, by, sort.descending]);
  const shownIds = shown.map(({ id }) => id).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: columns only depend on their IDs
  const columns = useMemo(() => shown.map(gridColumn), [shownIds, catalogue, types, all.length]);
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
  // All columns of the rows that are shown. An import of the file changes nothing.
  const saveCsv = () => {
    downloadCsv(rows.workspace.name, toCsv(sheetColumns(lines, catalogue, holders, types), inOrder));
    showToast(`Exported ${formatShown(inOrder.length, lines.length, 'component')}`);
  };
  const sortBy = (column: string) =>
    setTableView({
      ...view,
      sort: { column, descending: sort.column === column && !sort.descending },
    });

  return (
    <div className={styles.page}>
      <TableToolbar
        tabs={tabs}
        catalogue={catalogue}
        types={types}
        filter={filter}
        onFilter={setFilter}
        savedFilters={
          <SavedFilters
            view={{ filter, sort }}
            catalogue={catalogue}
            types={types}
            sortedBy={SORTED_BY}
            onApply={setTableView}
          />
        }
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
        <BulkBar
          rows={rows}
          catalogue={catalogue}
          types={types}
          selected={selected}
          hidden={selected.size - inOrder.filter(({ id }) => selected.has(id)).length}
          mayEdit={mayEdit}
          onRemove={remove}
        />
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
          types={types}
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
  return kind === 'time' && order ? (line) => <RelativeTime time={order(line)} /> : undefined;
}

function find({ choices, raw, text }: Column, line: ComponentRow) {
  const id = (raw ?? text)(line);
  return choices?.find((choice) => choice.id === id);
}
