/** The palette: anything that can be done or gone to, by typing some of its name. What was used lately comes first. */

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
  type Entry,
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
        <Dialog.Popup className={styles.popup} aria-label="Palette">
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
  const choose = (entry: Entry) => {
    remember(entry.key);
    close();
    // The window gives the focus back first; what is done may want it elsewhere.
    requestAnimationFrame(() => requestAnimationFrame(entry.run));
  };
  return (
    <Autocomplete
      label="Find anything, do anything"
      placeholder="Type the name of a component, person, process or action"
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
      empty={
        <>
          Nothing here is called “{truncate(query, 80)}”. Try fewer letters, or the name of its type or owner.
        </>
      }
    />
  );
}

function useEntries(): Entry[] {
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
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function remember(key: string): void {
  const keys = [key, ...recent().filter((one) => one !== key)].slice(0, MAX_RECENT);
  localStorage.setItem(KEY, JSON.stringify(keys));
}

/** What was used lately, then actions, then some of the rest. */
function recentFirst(entries: readonly Entry[]): Entry[] {
  const keys = recent();
  const lately = keys.flatMap((key) => entries.find((entry) => entry.key === key) ?? []);
  const others = entries.filter(({ key }) => !keys.includes(key));
  return [...lately.map((entry) => ({ ...entry, group: 'Lately' })), ...others].slice(0, MAX_SHOWN);
}
