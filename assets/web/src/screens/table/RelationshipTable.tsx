/** Relationships as rows. */

import { Download, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { usePageCommands } from '@/actions/pageCommands';
import type { Catalogue, RelationType } from '@/api/generated';
import { updateOperation } from '@/core/model/edits';
import { formatKeywords } from '@/core/model/keywords';
import { textProblem } from '@/core/model/validation';
import type { Fields } from '@/core/sync/operation';
import type { Rows } from '@/core/sync/rows';
import { keywordFields } from '@/core/table/columns';
import { toCsv } from '@/core/table/csv';
import { changeRelationshipTypes, deleteOperation } from '@/core/table/edits';
import { type RelationshipRow, relationshipRows } from '@/core/table/relationshipRows';
import { NO_TABLE_FILTER, sortRows } from '@/core/table/sortAndFilter';
import { formatTableQuery, parseTableQuery, type TableView } from '@/core/table/tableQuery';
import { formatCount, formatShown } from '@/core/text';
import { useQueryState } from '@/routing/useQueryState';
import { Button } from '@/ui/Button';
import { downloadCsv } from '@/ui/download';
import { EmptyState } from '@/ui/EmptyState';
import { Grid } from '@/ui/Grid';
import type { GridColumn } from '@/ui/gridTypes';
import { Menu, MenuItem } from '@/ui/Menu';
import { showToast } from '@/ui/Toasts';
import { AddRelationshipDialog } from './AddRelationshipDialog';
import { MenuButton } from './BulkBar';
import { ColoredChoice } from './ColoredChoice';
import styles from './Table.module.css';
import { SearchBox } from './TableToolbar';
import { editTable, editTableWithToast } from './tableEdit';

interface Props {
  rows: Rows;
  catalogue: Catalogue;
  tabs: ReactNode;
}

const SORTED_BY = 'source';
const parseQuery = (query: string) => parseTableQuery(query, SORTED_BY);
const formatQuery = (query: string, view: TableView) => formatTableQuery(query, view, SORTED_BY);
const keyOf = (line: RelationshipRow) => line.id;
const nameOf = (line: RelationshipRow) => `${line.source} ${line.typeName} ${line.target}`;

export function RelationshipTable({ rows, catalogue, tabs }: Props) {
  const [view, setTableView] = useQueryState(parseQuery, formatQuery);
  const { sort } = view;
  const { text } = view.filter;
  const setText = (to: string) => setTableView({ ...view, filter: { ...NO_TABLE_FILTER, text: to } });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [adding, setAdding] = useState(false);
  const mayEdit = rows.workspace.myRole === 'editor' || rows.workspace.myRole === 'owner';
  usePageCommands([
    mayEdit &&
      rows.component.size > 0 && {
        id: 'table.addRelationship',
        title: 'Add relationship',
        icon: Plus,
        run: () => setAdding(true),
      },
  ]);
  const columns = useMemo(() => columnsOf(catalogue), [catalogue]);
  const lines = useMemo(() => relationshipRows(rows, catalogue), [rows, catalogue]);
  const shown = useMemo(() => {
    const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const found = lines.filter((line) => {
      const all = columns
        .map((column) => column.text(line))
        .join('\n')
        .toLocaleLowerCase();
      return words.every((word) => all.includes(word));
    });
    return sortRows(
      found,
      columns.find(({ id }) => id === sort.column),
      sort.descending,
    );
  }, [lines, columns, text, sort]);
  const selectedIds = useMemo(
    () => new Set([...selected].filter((id) => rows.relationship.has(id))),
    [selected, rows.relationship],
  );

  const onEdit = useCallback((line: RelationshipRow, column: string, value: string) => {
    const fields = fieldsOf(column, value);
    if (typeof fields === 'string') return fields;
    editTable(
      `Change ${column} of a relationship`,
      updateOperation('relationship', line.id, line.relationship, fields),
    );
    return undefined;
  }, []);
  const remove = (ids: readonly string[]) => {
    const removed = ids.flatMap((id) => rows.relationship.get(id) ?? []);
    const subject = formatCount(removed.length, 'relationship');
    editTableWithToast(
      `Delete ${subject}`,
      `Deleted ${subject}`,
      removed.map((relationship) => deleteOperation('relationship', relationship)),
    );
    setSelected(new Set());
  };
  const retype = ({ id: typeId, name }: RelationType) => {
    const { operations, refused } = changeRelationshipTypes(rows, selectedIds, typeId);
    const not =
      refused > 0
        ? ` ${formatCount(refused, 'other')} can’t be changed: a component can be in one group only, and not in itself.`
        : '';
    const subject = `${formatCount(operations.length, 'relationship')} to “${name}”`;
    if (operations.length > 0)
      editTableWithToast(`Change ${subject}`, `Changed ${subject}.${not}`, operations);
    else showToast(not.trim() || 'All selected relationships already have this type.');
  };
  return (
    <div className={styles.page}>
      <div className={styles.tools}>
        {tabs}
        <SearchBox label="Search relationships" value={text} onChange={setText} />
        <span className={styles.count} role="status">
          {text ? `${shown.length.toLocaleString('en')} of ${lines.length.toLocaleString('en')}` : ''}
        </span>
        <Button
          kind="quiet"
          icon={<Download size={18} aria-hidden />}
          className={styles.tool}
          title="Export the relationships that are shown as CSV"
          onClick={() => {
            downloadCsv(`${rows.workspace.name} relationships`, toCsv(columns, shown));
            showToast(`Exported ${formatShown(shown.length, lines.length, 'relationship')}`);
          }}
        >
          <span>CSV</span>
        </Button>
        {mayEdit ? (
          <Button
            kind="main"
            icon={<Plus size={18} aria-hidden />}
            disabled={rows.component.size === 0}
            onClick={() => setAdding(true)}
          >
            Add
          </Button>
        ) : (
          <span className={styles.hint}>View only</span>
        )}
      </div>
      {selectedIds.size > 0 && mayEdit && (
        <section className={styles.bulk} aria-label="Selection">
          <strong role="status">{formatCount(selectedIds.size, 'relationship')} selected</strong>
          <Menu trigger={<MenuButton name="Type" />}>
            {catalogue.relationTypes.map((type) => (
              <MenuItem key={type.id} onSelect={() => retype(type)}>
                <ColoredChoice choice={type} text={type.name} />
              </MenuItem>
            ))}
          </Menu>
          <Button
            kind="danger"
            icon={<Trash2 size={16} aria-hidden />}
            onClick={() => remove([...selectedIds])}
          >
            Delete
          </Button>
        </section>
      )}
      <div className={styles.grid}>
        <Grid
          label="Relationships"
          rows={shown}
          keyOf={keyOf}
          nameOf={nameOf}
          columns={columns}
          sort={sort}
          onSort={(column) =>
            setTableView({
              ...view,
              sort: { column, descending: sort.column === column && !sort.descending },
            })
          }
          selected={selectedIds}
          onSelect={setSelected}
          onEdit={mayEdit ? onEdit : undefined}
          onRemove={mayEdit ? remove : undefined}
        >
          <EmptyState title={lines.length > 0 ? 'No matches' : 'No relationships yet'}>
            <p>
              {lines.length > 0
                ? 'No relationships match your search.'
                : 'A relationship describes how a component uses, calls, reads or contains another.'}
            </p>
          </EmptyState>
        </Grid>
      </div>
      {adding && <AddRelationshipDialog rows={rows} catalogue={catalogue} onClose={() => setAdding(false)} />}
    </div>
  );
}

/** The fields that an edit changes, or an error message. */
function fieldsOf(column: string, value: string): Fields | string {
  if (column === 'type') return { typeId: value };
  if (column === 'technology') return keywordFields('technology', value);
  return textProblem(value) ?? { label: value };
}

function columnsOf({ relationTypes }: Catalogue): GridColumn<RelationshipRow>[] {
  const types = new Map(relationTypes.map((type) => [type.id, type]));
  return [
    { id: 'source', name: 'From', width: 260, text: ({ source }) => source },
    {
      id: 'type',
      name: 'Relationship',
      width: 160,
      text: ({ typeName }) => typeName,
      raw: ({ relationship }) => relationship.typeId,
      render: ({ relationship, typeName }) => (
        <ColoredChoice choice={types.get(relationship.typeId)} text={typeName} />
      ),
      editor: relationTypes,
    },
    { id: 'target', name: 'To', width: 260, text: ({ target }) => target },
    {
      id: 'label',
      name: 'Label',
      width: 260,
      text: ({ relationship }) => relationship.label ?? '',
      grows: true,
      editor: 'long',
    },
    {
      id: 'technology',
      name: 'Technology',
      width: 170,
      text: ({ relationship }) => formatKeywords(relationship.technology),
      editor: 'text',
    },
    { id: 'id', name: 'ID', width: 240, text: ({ id }) => id },
  ];
}
