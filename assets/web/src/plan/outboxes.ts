/** The outboxes of this window: that of the open workspace, and those of others in which something still waits. */
import { useSession } from '@/api/session';
import { Outbox } from '@/core/sync/outbox';
import { type Edit, type Queue, type Saved, unsaved } from '@/core/sync/queue';
import { keep, type Place, takeUp } from './keep';
import { postFor } from './post';

interface Entry {
  place: Place;
  outbox: Outbox;
  /** What is being written down; the last of all writes. */
  keeping: Promise<void>;
  /** The queue as it was last written down. */
  kept: Queue;
  /** Whether the browser would not keep it. */
  isUnkept: boolean;
}

const entries = new Map<string, Entry>();
let onChange: (workspaceId: string, queue: Queue, isHeldUp: boolean) => void = () => {};

/** Told of each change of any queue. */
export function whenQueueChanges(told: typeof onChange): void {
  onChange = told;
}

let onSaved: (place: Place, edit: Edit, answer: Saved) => void = () => {};

/** Told of each edit that was saved, of whichever workspace. */
export function whenEditSaved(told: typeof onSaved): void {
  onSaved = told;
}

/** The outbox of a workspace for whoever is signed in; none when nobody is. */
export function outboxOf(workspaceId: string): Outbox | undefined {
  const { user, session } = useSession.getState();
  if (!user || !session?.orgId) return undefined;
  return entryOf({ userId: user.id, orgId: session.orgId, workspaceId }).outbox;
}

function entryOf(place: Place): Entry {
  const key = JSON.stringify([place.userId, place.orgId, place.workspaceId]);
  const known = entries.get(key);
  if (known) return known;
  const outbox = new Outbox(place.workspaceId, postFor(place), {
    changed({ queue, isHeldUp }) {
      void write(entry);
      if (isOwn(place)) onChange(place.workspaceId, queue, isHeldUp);
    },
    saved: (edit, answer) => onSaved(place, edit, answer),
  });
  const entry: Entry = { place, outbox, keeping: Promise.resolve(), kept: outbox.queue, isUnkept: false };
  entries.set(key, entry);
  return entry;
}

function isOwn({ userId, orgId }: Place): boolean {
  const { user, session } = useSession.getState();
  return user?.id === userId && session?.orgId === orgId;
}

/** Writes the queue down as it is by the time the write before is done: many changes at once are one write. */
function write(entry: Entry): Promise<void> {
  entry.keeping = entry.keeping.then(async () => {
    const { queue } = entry.outbox;
    if (queue === entry.kept) return;
    try {
      await keep(entry.place, queue);
      entry.kept = queue;
      entry.isUnkept = false;
    } catch {
      entry.isUnkept = true;
    }
  });
  return entry.keeping;
}

/** Whether something would be lost if the window closed now. */
function wouldLose(): boolean {
  return [...entries.values()].some(({ outbox, kept, isUnkept }) => {
    if (unsaved(outbox.queue).length === 0) return false;
    if (isUnkept) return true;
    const ids = new Set(kept.map(({ id }) => id));
    return unsaved(outbox.queue).some(({ id }) => !ids.has(id));
  });
}

/** What screens hold back for a moment, such as a text that is still being typed. */
const heldBack = new Set<HeldBack>();

interface HeldBack {
  /** Gives to the outboxes what can be sent. */
  hand(): void;
  /** How much is left that cannot be. */
  count(): number;
}

/** Says who else holds something that is not saved. */
export function holdsBack(holder: HeldBack): void {
  heldBack.add(holder);
}

/** Gives to the outboxes what is held back for a moment: whoever types goes elsewhere. */
export function handOver(): void {
  for (const { hand } of heldBack) hand();
}

/** So long signing out waits for the server to take what was typed a moment ago, in milliseconds. */
const GRACE = 1000;

/**
 * How many changes of whoever is signed in the server does not have, once it was given what was held back. What it
 * takes at once is not counted: nobody is asked about it.
 */
export async function leftUnsaved(): Promise<number> {
  const before = countUnsaved();
  handOver();
  const stuck = () => [...heldBack].reduce((sum, { count }) => sum + count(), 0);
  const end = Date.now() + GRACE;
  while (countUnsaved() > before && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  return countUnsaved() + stuck();
}

/** How many edits of whoever is signed in are not on the server yet, in all workspaces of all organizations. */
function countUnsaved(): number {
  const userId = useSession.getState().user?.id;
  return [...entries.values()]
    .filter(({ place }) => place.userId === userId)
    .reduce((sum, { outbox }) => sum + unsaved(outbox.queue).length, 0);
}

/** Takes up what was left behind, in all workspaces of the organization that is active. */
async function takeUpLeft(): Promise<void> {
  const { status, user, session } = useSession.getState();
  if (status !== 'in' || !user || !session?.orgId) return;
  const owner = { userId: user.id, orgId: session.orgId };
  const take = async (workspaceId: string, queue: Queue) => {
    const entry = entryOf({ ...owner, workspaceId });
    const known = new Set(entry.outbox.queue.map(({ id }) => id));
    // In the order in which they were made, whichever window they were made in.
    entry.outbox.change((now) =>
      [...queue.filter(({ id }) => !known.has(id)), ...now].sort((one, other) => one.at - other.at),
    );
    await write(entry);
    if (entry.isUnkept) throw new Error('This browser does not allow local storage.');
  };
  await takeUp(owner, take, () => void takeUpLeft()).catch(() => {
    // Records stay where they are, for the next window.
  });
}

/** Tries at once all that waits: the server is back. */
export function nudgeAll(): void {
  for (const { outbox } of entries.values()) outbox.nudge();
}

type Session = ReturnType<typeof useSession.getState>;

function sessionMoved({ status, user, session }: Session, before?: Session): void {
  if (status !== 'in') return;
  nudgeAll();
  const isOther = before?.user?.id !== user?.id || before?.session?.orgId !== session?.orgId;
  if (isOther || before?.status !== 'in') void takeUpLeft();
}

sessionMoved(useSession.getState());
useSession.subscribe(sessionMoved);
window.addEventListener('online', nudgeAll);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void takeUpLeft();
});
window.addEventListener('beforeunload', (event) => {
  if (wouldLose()) event.preventDefault();
});
