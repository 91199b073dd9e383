/** The command palette: searches commands, components, people, teams and workspaces. Recent entries come first. */

import { Dialog } from '@base-ui/react/dialog';
import { useMemo, useState } from 'react';
import { openDialog, useDialogs } from '@/actions/dialogs';
import { rank } from '@/core/search/fuzzy';
import { truncate } from '@/core/text';
import { usePeople, useTeams, useWorkspaces } from '@/data/queries';
import { Autocomplete } from '@/ui/Autocomplete';
import { useModel } from '@/workspace/model';
import styles from './CommandPalette.module.css';
import {
  actionEntries,
  componentEntries,
  directoryEntries,
  type PaletteEntry,
  processEntries,
} from './paletteEntries';

const MAX_SHOWN = 60;

export function CommandPalette() {
  const isOpen = useDialogs(({ open }) => open === 'palette');
  const close = () => openDialog(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.backdrop} />
        <Dialog.Popup className={styles.popup} aria-label="Command palette">
          <Entries close={close} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Entries({ close }: { close: () => void }) {
  const [query, setQuery] = useState('');
  const entries = useEntries();
  const shown = useMemo(() => {
    if (query.trim() === '') return recentFirst(entries);
    return rank(
      entries.map((entry) => [entry, entry.findable] as const),
      query,
      MAX_SHOWN,
    );
  }, [entries, query]);
  const choose = (entry: PaletteEntry) => {
    addRecent(entry.key);
    close();
    // The dialog first restores the focus, because the action may move it.
    requestAnimationFrame(() => requestAnimationFrame(entry.run));
  };
  return (
    <Autocomplete
      label="Search or run a command"
      placeholder="Search components, people, processes and commands"
      className={styles.finder}
      query={query}
      onQuery={setQuery}
      open
      autoFocus
      options={shown.map((entry) => ({
        ...entry,
        value: entry,
        group: query === '' ? entry.group : undefined,
      }))}
      onChoose={choose}
      onLeave={close}
      leavesAtOnce
      empty={<>No results for “{truncate(query, 80)}”. Try a shorter query, or a type or owner.</>}
    />
  );
}

function useEntries(): PaletteEntry[] {
  const model = useModel();
  const people = usePeople().data?.people;
  const teams = useTeams().data?.teams;
  const workspaces = useWorkspaces().data?.workspaces;
  return useMemo(
    () => [
      ...actionEntries(),
      ...(model ? [...componentEntries(model), ...processEntries(model)] : []),
      ...directoryEntries(people ?? [], teams ?? [], workspaces ?? []),
    ],
    [model, people, teams, workspaces],
  );
}

const KEY = 'planroom.palette';
const MAX_RECENT = 8;

function recent(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}

function addRecent(key: string): void {
  const keys = [key, ...recent().filter((recentKey) => recentKey !== key)].slice(0, MAX_RECENT);
  localStorage.setItem(KEY, JSON.stringify(keys));
}

/** Recent entries first, followed by others up to the limit. */
function recentFirst(entries: readonly PaletteEntry[]): PaletteEntry[] {
  const keys = recent();
  const recentEntries = keys.flatMap((key) => entries.find((entry) => entry.key === key) ?? []);
  const others = entries.filter(({ key }) => !keys.includes(key));
  return [...recentEntries.map((entry) => ({ ...entry, group: 'Recent' })), ...others].slice(0, MAX_SHOWN);
}
