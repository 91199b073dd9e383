/** The outboxes of this window: for the open workspace, and for others with unsaved edits. */
import { useSession } from '@/api/session';
import { Outbox } from '@/core/sync/outbox';
import { type Edit, isPending, type Queue, type SaveResult, unsavedEdits } from '@/core/sync/queue';
import { transportFor } from './transport';
import { type QueueOwner, recoverQueues, storeQueue } from './unsavedStorage';

interface OutboxEntry {
  place: QueueOwner;
  outbox: Outbox;
  /** The pending write, chained after all previous writes. */
  pendingWrite: Promise<void>;
  /** The last stored queue. */
  stored: Queue;
  /** Whether the browser failed to store it. */
  isUnstored: boolean;
}

const entries = new Map<string, OutboxEntry>();
let onChange: (workspaceId: string, queue: Queue, isHeldUp: boolean) => void = () => {};

/** Called on every change of a queue. */
export function whenQueueChanges(serverRows: typeof onChange): void {
  onChange = serverRows;
}

let onSaved: (place: QueueOwner, edit: Edit, result: SaveResult) => void = () => {};

/** Called for each saved edit of any workspace. */
export function whenEditSaved(serverRows: typeof onSaved): void {
  onSaved = serverRows;
}

/** The outbox of a workspace for the current user; undefined if signed out. */
export function outboxOf(workspaceId: string): Outbox | undefined {
  const { user, session } = useSession.getState();
  if (!user || !session?.orgId) return undefined;
  return entryOf({ userId: user.id, orgId: session.orgId, workspaceId }).outbox;
}

function entryOf(place: QueueOwner): OutboxEntry {
  const key = JSON.stringify([place.userId, place.orgId, place.workspaceId]);
  const known = entries.get(key);
  if (known) return known;
  const outbox = new Outbox(place.workspaceId, transportFor(place), {
    changed({ queue, isStalled }) {
      void write(entry);
      if (isOwn(place)) onChange(place.workspaceId, queue, isStalled);
    },
    saved: (edit, result) => onSaved(place, edit, result),
  });
  const entry: OutboxEntry = {
    place,
    outbox,
    pendingWrite: Promise.resolve(),
    stored: outbox.queue,
    isUnstored: false,
  };
  entries.set(key, entry);
  return entry;
}

function isOwn({ userId, orgId }: QueueOwner): boolean {
  const { user, session } = useSession.getState();
  return user?.id === userId && session?.orgId === orgId;
}

/** Stores the queue after the previous write has finished, which merges multiple changes into one write. */
function write(entry: OutboxEntry): Promise<void> {
  entry.pendingWrite = entry.pendingWrite.then(async () => {
    const { queue } = entry.outbox;
    if (queue === entry.stored) return;
    try {
      await storeQueue(entry.place, queue);
      entry.stored = queue;
      entry.isUnstored = false;
    } catch {
      entry.isUnstored = true;
    }
  });
  return entry.pendingWrite;
}

/** Whether closing the window now would lose edits. */
function hasUnsavedWork(): boolean {
  return [...entries.values()].some(({ outbox, stored, isUnstored }) => {
    if (unsavedEdits(outbox.queue).length === 0) return false;
    if (isUnstored) return true;
    const ids = new Set(stored.map(({ id }) => id));
    return unsavedEdits(outbox.queue).some(({ id }) => !ids.has(id));
  });
}

/** Input that screens have not committed yet, such as text being typed. */
const pendingInputs = new Set<PendingInput>();

interface PendingInput {
  /** Commits valid input to the outbox. */
  flush(): void;
  /** The number of changes that cannot be sent. */
  count(): number;
}

/** Registers a source of pending input. */
export function registerPendingInput(holder: PendingInput): void {
  pendingInputs.add(holder);
}

/** Commits pending input to the outboxes, because the user is leaving the screen. */
export function flushPendingInputs(): void {
  for (const { flush } of pendingInputs) flush();
}

/** How long sign-out waits for the server to save pending input, in milliseconds. */
const SIGN_OUT_GRACE_MS = 1000;

/**
 * Commits pending input and returns the number of unsaved changes of the current user. Waits briefly for the server to
 * save them, so that no confirmation is needed.
 */
export async function countUnsavedAfterFlush(): Promise<number> {
  const before = countUnsaved();
  flushPendingInputs();
  const stuck = () => [...pendingInputs].reduce((sum, { count }) => sum + count(), 0);
  const end = Date.now() + SIGN_OUT_GRACE_MS;
  while (countUnsaved() > before && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  return countUnsaved() + stuck();
}

/** How long `saveAll` waits for the server, in milliseconds. */
const SAVE_GRACE_MS = 15_000;

/**
 * Commits pending input, and waits until the server has saved all edits of a workspace. Throws if it does not, or if an
 * edit needs a decision of the user.
 */
export async function saveAll(workspaceId: string): Promise<void> {
  flushPendingInputs();
  const outbox = outboxOf(workspaceId);
  const unsaved = () => unsavedEdits(outbox?.queue ?? []);
  if (unsaved().length > 0) outbox?.nudge();
  const end = Date.now() + SAVE_GRACE_MS;
  while (unsaved().length > 0) {
    if (!unsaved().every(isPending)) throw new Error('Some changes were not saved. Resolve them first.');
    if (!navigator.onLine || Date.now() >= end)
      throw new Error('Some changes are not saved yet. Try again when the server can be reached.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The number of unsaved edits of the current user in all workspaces of all organizations. */
function countUnsaved(): number {
  const userId = useSession.getState().user?.id;
  return [...entries.values()]
    .filter(({ place }) => place.userId === userId)
    .reduce((sum, { outbox }) => sum + unsavedEdits(outbox.queue).length, 0);
}

/** Takes over abandoned records of all workspaces in the active organization. */
async function recoverAbandonedQueues(): Promise<void> {
  const { status, user, session } = useSession.getState();
  if (status !== 'in' || !user || !session?.orgId) return;
  const owner = { userId: user.id, orgId: session.orgId };
  const take = async (workspaceId: string, queue: Queue) => {
    const entry = entryOf({ ...owner, workspaceId });
    const known = new Set(entry.outbox.queue.map(({ id }) => id));
    // In order of creation, across windows.
    entry.outbox.change((now) =>
      [...queue.filter(({ id }) => !known.has(id)), ...now].sort((a, b) => a.at - b.at),
    );
    await write(entry);
    if (entry.isUnstored) throw new Error('This browser does not allow local storage.');
  };
  await recoverQueues(owner, take, () => void recoverAbandonedQueues()).catch(() => {
    // The records are kept for the next window.
  });
}

/** Retries all waiting edits immediately, because the server is reachable again. */
export function retryAll(): void {
  for (const { outbox } of entries.values()) outbox.nudge();
}

type SessionState = ReturnType<typeof useSession.getState>;

function onSessionChange({ status, user, session }: SessionState, before?: SessionState): void {
  if (status !== 'in') return;
  retryAll();
  const isOther = before?.user?.id !== user?.id || before?.session?.orgId !== session?.orgId;
  if (isOther || before?.status !== 'in') void recoverAbandonedQueues();
}

onSessionChange(useSession.getState());
useSession.subscribe(onSessionChange);
window.addEventListener('online', retryAll);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void recoverAbandonedQueues();
});
window.addEventListener('beforeunload', (event) => {
  if (hasUnsavedWork()) event.preventDefault();
});
