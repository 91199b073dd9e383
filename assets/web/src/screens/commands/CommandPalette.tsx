/**
 * The command palette: searches commands, components, people, teams and workspaces, on this page and in all other
 * workspaces. Recent entries come first.
 */

import { Dialog } from '@base-ui/react/dialog';
import { type ReactNode, useMemo, useState } from 'react';
import { openDialog, useDialogs } from '@/actions/dialogs';
import { usePageCommandList } from '@/actions/pageCommands';
import { ownName } from '@/api/base';
import { rank } from '@/core/search/fuzzy';
import { truncate } from '@/core/text';
import { useCatalogue, usePeople, useTeams, useWorkspaces } from '@/data/queries';
import { type RemoteSearch, useSearch } from '@/data/useSearch';
import { currentLocation, isWorkspaceOpen } from '@/map/state/location';
import { Autocomplete } from '@/ui/Autocomplete';
import { Button } from '@/ui/Button';
import { useModel } from '@/workspace/model';
import { usePersonalViews } from '@/workspace/personalViews';
import styles from './CommandPalette.module.css';
import {
  actionEntries,
  componentEntries,
  decisionEntries,
  directoryEntries,
  type PaletteEntry,
  processEntries,
  remoteEntries,
  tourEntries,
  viewEntries,
} from './paletteEntries';

const MAX_SHOWN = 60;
/** Maximum number of entries above those of other workspaces. */
const MAX_LOCAL = 12;

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
      MAX_LOCAL,
    );
  }, [entries, query]);
  const exceptWorkspaceId = useOpenWorkspaceId();
  const remote = useSearch(query, exceptWorkspaceId);
  const catalogue = useCatalogue().data;
  const elsewhere = useMemo(
    () => remoteEntries(remote.results, catalogue, exceptWorkspaceId),
    [remote.results, catalogue, exceptWorkspaceId],
  );
  const isEmpty = shown.length + elsewhere.length === 0;
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
      options={[
        ...shown.map((entry) => ({
          ...entry,
          value: entry,
          group: query.trim() === '' ? entry.group : undefined,
        })),
        // After the others, so that no entry moves when they arrive.
        ...elsewhere.map((entry) => ({ ...entry, value: entry })),
      ]}
      onChoose={choose}
      onLeave={close}
      leavesAtOnce
      empty={
        (remote.state === 'idle' || remote.state === 'done') && (
          <>No results for “{truncate(query, 80)}”. Try a shorter query, or a type or owner.</>
        )
      }
      footer={<RemoteStatus remote={remote} isEmpty={isEmpty} place={placeOf(exceptWorkspaceId)} />}
    />
  );
}

function placeOf(exceptWorkspaceId: string | undefined): string {
  return exceptWorkspaceId === undefined ? 'workspaces' : 'other workspaces';
}

/** The workspace whose components are searched in this window. */
function useOpenWorkspaceId(): string | undefined {
  const model = useModel();
  return model && isWorkspaceOpen() ? currentLocation().workspace : undefined;
}

interface RemoteStatusProps {
  remote: RemoteSearch;
  isEmpty: boolean;
  place: string;
}

/** The progress of the search in other workspaces, if there is something to wait for or to do. */
function RemoteStatus({ remote, isEmpty, place }: RemoteStatusProps): ReactNode {
  if (remote.state === 'failed') {
    return (
      <div className={styles.status} role="alert">
        <span>Could not search {place}.</span>
        <Button kind="quiet" onClick={remote.retry}>
          Try again
        </Button>
      </div>
    );
  }
  // The line keeps its place while results are shown, so that the list does not jump.
  const isLoading = remote.state === 'loading';
  if (!isLoading && (remote.state === 'idle' || isEmpty)) return null;
  return (
    <div className={styles.status} role="status">
      {isLoading && <span>Searching {place}…</span>}
      {remote.state === 'done' && remote.results.length === 0 && <span>No results in {place}</span>}
      {remote.state === 'done' && remote.results.length > 0 && (
        <span>
          {remote.results.length} {remote.results.length === 1 ? 'result' : 'results'} in {place}
        </span>
      )}
    </div>
  );
}

function useEntries(): PaletteEntry[] {
  // The page can finish loading while the palette is open.
  const commands = usePageCommandList();
  const model = useModel();
  const personal = usePersonalViews((state) => state.views);
  const people = usePeople().data?.people;
  const teams = useTeams().data?.teams;
  const workspaces = useWorkspaces().data?.workspaces;
  return useMemo(
    () => [
      ...actionEntries(commands),
      ...(model
        ? [
            ...viewEntries(model, personal.values()),
            ...tourEntries(model),
            ...componentEntries(model),
            ...processEntries(model),
            ...decisionEntries(model),
          ]
        : []),
      ...directoryEntries(people ?? [], teams ?? [], workspaces ?? []),
    ],
    [commands, model, personal, people, teams, workspaces],
  );
}

const KEY = ownName('planroom.palette');
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
