/** Saves, applies, renames and deletes filters of the table, and copies the link to the current one. */

import { Bookmark, Check, Link, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { currentPath, fullUrl } from '@/api/base';
import type { Catalogue } from '@/api/generated';
import type { CustomType } from '@/core/model/customTypes';
import {
  describeFilter,
  filterNameProblem,
  formatTableQuery,
  isFiltered,
  isSameFilter,
  MAX_FILTER_NAME_CHARS,
  MAX_SAVED_FILTERS,
  type SavedFilter,
  type TableView,
} from '@/core/table/tableQuery';
import { Button, IconButton } from '@/ui/Button';
import { copyText } from '@/ui/copyText';
import { TextField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Popover } from '@/ui/Popover';
import { showToast } from '@/ui/Toasts';
import styles from './SavedFilters.module.css';
import { saveFilters, useSavedFilters } from './savedFilters';

interface Props {
  view: TableView;
  catalogue: Catalogue;
  types: readonly CustomType[];
  /** The default column of the sort order. */
  sortedBy: string;
  onApply: (view: TableView) => void;
}

export function SavedFilters({ view, catalogue, types, sortedBy, onApply }: Props) {
  const [isOpen, setOpen] = useState(false);
  /** The filter whose name is edited; null for a new one. */
  const [edited, setEdited] = useState<SavedFilter | null>();
  const { filters } = useSavedFilters();
  const canSave = isFiltered(view.filter);
  const edit = (filter: SavedFilter | null) => {
    setOpen(false);
    setEdited(filter);
  };
  const remove = (filter: SavedFilter) => {
    saveFilters(filters.filter((other) => other !== filter));
    showToast(`Deleted filter “${filter.name}”`, {
      label: 'Undo',
      run: () => saveFilters([...useSavedFilters.getState().filters, filter]),
    });
  };
  const copyLink = async () => {
    const query = formatTableQuery('', view, sortedBy);
    const url = fullUrl(`${currentPath()}${query && `?${query}`}`);
    showToast(
      (await copyText(url)) ? 'Link copied' : 'Could not copy the link. Copy the address of this page.',
    );
  };
  return (
    <>
      <Popover
        title="Saved filters"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={<IconButton label="Saved filters" icon={<Bookmark size={18} aria-hidden />} />}
      >
        <p className={styles.note}>
          Saved in this browser, for all workspaces. To share a filter with others, copy its link.
        </p>
        {filters.length > 0 && (
          <ul className={styles.list} aria-label="Saved filters">
            {filters
              .map((filter) => ({ filter, what: describeFilter(filter.filter, catalogue, types) }))
              .map(({ filter, what }) => (
                <li key={filter.name} className={styles.row}>
                  <button
                    type="button"
                    className={styles.apply}
                    aria-pressed={isSameFilter(filter.filter, view.filter)}
                    onClick={() => {
                      setOpen(false);
                      onApply({ filter: filter.filter, sort: filter.sort });
                    }}
                  >
                    <Check size={16} aria-hidden className={styles.check} />
                    <span className={styles.name}>
                      {filter.name}
                      {what !== filter.name && <span className={styles.what}>{what}</span>}
                    </span>
                  </button>
                  <IconButton
                    label={`Rename filter ${filter.name}`}
                    icon={<Pencil size={16} aria-hidden />}
                    onClick={() => edit(filter)}
                  />
                  <IconButton
                    label={`Delete filter ${filter.name}`}
                    icon={<Trash2 size={16} aria-hidden />}
                    onClick={() => remove(filter)}
                  />
                </li>
              ))}
          </ul>
        )}
        <div className={styles.actions}>
          <Button
            icon={<Plus size={16} aria-hidden />}
            disabled={!canSave || filters.length >= MAX_SAVED_FILTERS}
            title={saveHint(canSave, filters.length)}
            onClick={() => edit(null)}
          >
            Save current filter
          </Button>
          <Button kind="quiet" icon={<Link size={16} aria-hidden />} onClick={() => void copyLink()}>
            Copy link
          </Button>
        </div>
      </Popover>
      {edited !== undefined && (
        <NameDialog
          filter={edited}
          suggestion={describeFilter(view.filter, catalogue, types)}
          others={filters.filter((other) => other !== edited).map(({ name }) => name)}
          onClose={() => setEdited(undefined)}
          onSave={(name) =>
            saveFilters([...filters.filter((other) => other !== edited), { ...(edited ?? view), name }])
          }
        />
      )}
    </>
  );
}

function saveHint(canSave: boolean, count: number): string | undefined {
  if (count >= MAX_SAVED_FILTERS)
    return `At most ${MAX_SAVED_FILTERS} filters can be saved. Delete one first.`;
  return canSave ? undefined : 'Search or filter the table first.';
}

interface NameProps {
  /** The filter to rename; null to save a new one. */
  filter: SavedFilter | null;
  suggestion: string;
  others: readonly string[];
  onClose: () => void;
  onSave: (name: string) => void;
}

function NameDialog({ filter, suggestion, others, onClose, onSave }: NameProps) {
  const [name, setName] = useState(
    () => filter?.name ?? [...suggestion].slice(0, MAX_FILTER_NAME_CHARS).join(''),
  );
  const [isTried, setTried] = useState(false);
  const problem = filterNameProblem(name, others);
  const submit = () => {
    setTried(true);
    if (problem) return;
    onSave(name.trim());
    onClose();
  };
  return (
    <FormDialog
      title={filter ? `Rename filter “${filter.name}”` : 'Save filter'}
      submitLabel={filter ? 'Rename filter' : 'Save filter'}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        autoFocus
        autoComplete="off"
        value={name}
        problem={isTried ? problem : undefined}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
