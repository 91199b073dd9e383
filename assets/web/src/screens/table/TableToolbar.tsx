/** The toolbar of the component table: search, filters, columns and CSV. */

import { Columns3, Download, FileUp, Filter as FilterIcon, FilterX, Pencil } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import type { Catalogue } from '@/api/generated';
import type { CustomType } from '@/core/model/customTypes';
import type { Column } from '@/core/table/columns';
import { NO_TABLE_FILTER, type TableFilter } from '@/core/table/sortAndFilter';
import { isFiltered } from '@/core/table/tableQuery';
import { truncate } from '@/core/text';
import { Button, IconButton } from '@/ui/Button';
import { Popover } from '@/ui/Popover';
import { SearchField } from '@/ui/SearchField';
import { TypeOptions } from '@/ui/TypeOptions';
import { useMedia } from '@/ui/useMedia';
import styles from './Table.module.css';

interface Props {
  tabs: ReactNode;
  catalogue: Catalogue;
  types: readonly CustomType[];
  filter: TableFilter;
  onFilter: (filter: TableFilter) => void;
  /** The button with the saved filters. */
  savedFilters: ReactNode;
  columns: readonly Column[];
  isShown: (id: string) => boolean;
  onToggle: (id: string) => void;
  onExport: () => void;
  /** Called with the text of a CSV file; undefined without edit access. */
  onCsv: ((text: string) => void) | undefined;
  /** Called with the property to rename; undefined without edit access. */
  onRename: ((key: string) => void) | undefined;
  count: { shown: number; all: number };
  children: ReactNode;
}

export function TableToolbar(props: Props) {
  const {
    tabs,
    catalogue,
    types,
    filter,
    onFilter,
    columns,
    isShown,
    onToggle,
    onExport,
    onCsv,
    onRename,
    count,
  } = props;
  const [open, setOpen] = useState(false);
  const set = (part: Partial<TableFilter>) => onFilter({ ...filter, ...part });
  // Next to each other, they would need a second row.
  const isTight = useMedia('(max-width: 86rem)');
  const narrowing = [filter.typeId, filter.lifecycle, filter.unowned].filter(Boolean).length;
  const filters = <Filters catalogue={catalogue} types={types} filter={filter} set={set} />;
  return (
    <div className={styles.tools}>
      {tabs}
      <SearchBox label="Search components" value={filter.text} onChange={(text) => set({ text })} />
      {isTight ? (
        <Popover
          title="Filters"
          trigger={
            <Button kind="quiet" icon={<FilterIcon size={18} aria-hidden />} className={styles.tool}>
              <span>{narrowing === 0 ? 'Filter' : `Filter (${narrowing})`}</span>
            </Button>
          }
        >
          {filters}
        </Popover>
      ) : (
        filters
      )}
      {isFiltered(filter) && (
        <IconButton
          label="Clear filters"
          icon={<FilterX size={18} aria-hidden />}
          onClick={() => onFilter(NO_TABLE_FILTER)}
        />
      )}
      {props.savedFilters}
      <span className={styles.count} role="status">
        {isFiltered(filter) ? `${count.shown.toLocaleString('en')} of ${count.all.toLocaleString('en')}` : ''}
      </span>
      <Popover
        title="Columns"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button kind="quiet" icon={<Columns3 size={18} aria-hidden />} className={styles.tool}>
            <span>Columns</span>
          </Button>
        }
      >
        {columns.map(({ id, name, property }) => (
          <div key={id} className={styles.column}>
            <label className={styles.checked}>
              <input
                type="checkbox"
                checked={isShown(id)}
                disabled={id === 'name'}
                onChange={() => onToggle(id)}
              />
              <span className={styles.long}>{name}</span>
            </label>
            {onRename && property !== undefined && (
              <IconButton
                label={`Rename property ${truncate(name, 60)}`}
                icon={<Pencil size={16} aria-hidden />}
                onClick={() => {
                  setOpen(false);
                  onRename(property);
                }}
              />
            )}
          </div>
        ))}
      </Popover>
      <Button
        kind="quiet"
        icon={<Download size={18} aria-hidden />}
        className={styles.tool}
        title="Export the rows that are shown as CSV, with all columns"
        onClick={onExport}
      >
        <span>CSV</span>
      </Button>
      {onCsv && <CsvButton onCsv={onCsv} />}
      {props.children}
    </div>
  );
}

interface FiltersProps {
  catalogue: Catalogue;
  types: readonly CustomType[];
  filter: TableFilter;
  set: (part: Partial<TableFilter>) => void;
}

function Filters({ catalogue, types, filter, set }: FiltersProps) {
  return (
    <>
      <select
        className={styles.select}
        aria-label="Type"
        value={filter.typeId}
        onChange={(event) => set({ typeId: event.target.value })}
      >
        <option value="">All types</option>
        <TypeOptions types={types} catalogue={catalogue.componentTypes} />
      </select>
      <select
        className={styles.select}
        aria-label="Lifecycle"
        value={filter.lifecycle}
        onChange={(event) => set({ lifecycle: event.target.value })}
      >
        <option value="">All lifecycles</option>
        {catalogue.lifecycleStates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value="none">Not set</option>
      </select>
      <label className={styles.checked}>
        <input
          type="checkbox"
          checked={filter.unowned}
          onChange={(event) => set({ unowned: event.target.checked })}
        />
        No owner
      </label>
    </>
  );
}

export function SearchBox({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
}) {
  return (
    <SearchField
      label={label}
      placeholder="Search"
      value={value}
      onChange={onChange}
      className={styles.search}
    />
  );
}

function CsvButton({ onCsv }: { onCsv: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        kind="quiet"
        icon={<FileUp size={18} aria-hidden />}
        className={styles.tool}
        onClick={() => input.current?.click()}
        aria-label="Import CSV"
      >
        <span>Import</span>
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv"
        aria-label="CSV file"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          void file?.text().then(onCsv);
        }}
      />
    </>
  );
}
