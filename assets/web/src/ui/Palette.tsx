/** The command palette: searches commands, components, people, teams and workspaces. Recent entries come first. */
import { Dialog } from '@base-ui/react/dialog';
import { useMemo, useState } from 'react';
import { openWindow, useWindows } from '@/actions/windows';
import { usePeople, useTeams, useWorkspaces } from '@/app/queries';
import { ranked } from '@/core/find/fuzzy';
import { useModel } from '@/plan/model';
import { Finder } from './Finder';
import styles from './Palette.module.css';
import {
  actionEntries,
  componentEntries,
  directoryEntries,
  type Entry,
  processEntries,
} from './paletteEntries';

const SHOWN = 60;

export function Palette() {
  const isOpen = useWindows(({ open }) => open === 'palette');
  const close = () => openWindow(null);
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
    return ranked(
      entries.map((entry) => [entry, entry.findable] as const),
      query,
      SHOWN,
    );
  }, [entries, query]);
  const choose = (entry: Entry) => {
    remember(entry.key);
    close();
    // The dialog restores the focus first, because the action may move it.
    requestAnimationFrame(() => requestAnimationFrame(entry.run));
  };
  return (
    <Finder
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
      empty={<>No results for “{query.slice(0, 80)}”. Try a shorter query, or a type or owner.</>}
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
const KEPT = 8;

function recent(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function remember(key: string): void {
  const keys = [key, ...recent().filter((one) => one !== key)].slice(0, KEPT);
  localStorage.setItem(KEY, JSON.stringify(keys));
}

/** Recent entries, then commands, then some of the rest. */
function recentFirst(entries: readonly Entry[]): Entry[] {
  const keys = recent();
  const lately = keys.flatMap((key) => entries.find((entry) => entry.key === key) ?? []);
  const others = entries.filter(({ key }) => !keys.includes(key));
  return [...lately.map((entry) => ({ ...entry, group: 'Recent' })), ...others].slice(0, SHOWN);
}
