/**
 * Edits of a protected workspace continue in a draft: when the server rejects an edit, a draft is started, receives the
 * edit, and opens in the place of the workspace. Users who have a draft in progress choose where to continue.
 */
import { create } from 'zustand';
import { currentPath } from '@/api/base';
import { closeDraft, createDraft, type Draft, getWorkspace } from '@/api/generated';
import { useSession } from '@/api/session';
import { editsInDraft, isProtectedEdit, movableEdits } from '@/core/drafts/movedEdits';
import { MAX_NAME_CHARS } from '@/core/limits';
import { describeEdit } from '@/core/sync/describe';
import type { Queue } from '@/core/sync/queue';
import { toRows } from '@/core/sync/rows';
import { formatCount, truncate } from '@/core/text';
import { invalidateDrafts, LARGE_MAP, ownDraftsInProgress } from '@/data/drafts';
import { navigate } from '@/routing/location';
import { segmentsOf, workspacePath } from '@/routing/paths';
import { showError, showToast } from '@/ui/Toasts';
import { outboxOf } from './outboxes';
import { useWorkspace } from './store';
import { loadUndoStacks, saveUndoStacks } from './undoStack';

/** The drafts between which the user chooses; null: nothing to choose. */
export const useDraftChoice = create<{ workspaceId: string; drafts: readonly Draft[] | null }>()(() => ({
  workspaceId: '',
  drafts: null,
}));

/** Edits whose author has already been asked. They stay in the list of unsaved changes. */
const handled = new Set<string>();
let isBusy = false;

useWorkspace.subscribe(({ queue, workspaceId }) => {
  if (isBusy || !queue.some((edit) => isProtectedEdit(edit) && !handled.has(edit.id))) return;
  void run(() => begin(workspaceId));
});

async function run(task: () => Promise<void>): Promise<void> {
  isBusy = true;
  await task().catch(showError);
  isBusy = false;
}

/** Moves the rejected edits into a new draft, or lets the user choose. */
async function begin(workspaceId: string): Promise<void> {
  for (const { id } of useWorkspace.getState().queue) handled.add(id);
  const drafts = await ownDraftsInProgress(workspaceId);
  if (drafts.length > 0) useDraftChoice.setState({ workspaceId, drafts });
  else await start(workspaceId);
}

/** Asks again where to continue. */
export function continueInDraft(): void {
  const { workspaceId } = useWorkspace.getState();
  if (!isBusy) void run(() => begin(workspaceId));
}

/** Continues in a new draft, or in an existing one. */
export async function chooseDraft(existing: Draft | null): Promise<void> {
  const { workspaceId } = useDraftChoice.getState();
  closeDraftChoice();
  await run(() => (existing ? moveInto(existing, false) : start(workspaceId)));
}

/** The edits stay in the list of unsaved changes. */
export function closeDraftChoice(): void {
  useDraftChoice.setState({ drafts: null });
}

async function start(workspaceId: string): Promise<void> {
  const { serverRows } = useWorkspace.getState();
  const [first] = movableEdits(outboxOf(workspaceId)?.queue ?? []);
  if (!first) return;
  const title = truncate(describeEdit(first, serverRows), MAX_NAME_CHARS);
  const { draft } = await createDraft(workspaceId, { title }, LARGE_MAP);
  invalidateDrafts(workspaceId, null);
  await moveInto(draft, true);
}

/** How long to wait for a request that was sent before the first rejection, in milliseconds. */
const SENDING_GRACE_MS = 5_000;

async function moveInto(draft: Draft, isNew: boolean): Promise<void> {
  const { workspaceId } = draft;
  const outbox = outboxOf(workspaceId);
  const target = outboxOf(draft.id);
  if (!outbox || !target) return;
  const draftRows = toRows(await getWorkspace(draft.id, { include: 'notes,views' }));
  const end = Date.now() + SENDING_GRACE_MS;
  while (outbox.queue.some(({ state }) => state === 'sending') && Date.now() < end) await pause(20);
  const { serverRows, workspaceId: openId } = useWorkspace.getState();
  const edits = movableEdits(outbox.queue);
  const ids = new Set(edits.map(({ id }) => id));
  const moved = editsInDraft(edits, openId === workspaceId ? serverRows : null, draftRows);
  target.change((queue) => [...queue, ...moved]);
  moveUndoSteps(workspaceId, draft.id, ids);
  outbox.change((queue) => queue.filter(({ id }) => !ids.has(id)));
  if (useWorkspace.getState().workspaceId === workspaceId) openDraft(draft.id);
  announce(draft, edits, isNew);
}

/** The steps of moved edits are undone in the draft. */
function moveUndoSteps(from: string, to: string, ids: ReadonlySet<string>): void {
  const { user } = useSession.getState();
  const isOpen = useWorkspace.getState().workspaceId === from;
  const { done = [], undone = [] } = isOpen ? useWorkspace.getState() : loadUndoStacks(user?.id, from);
  const steps = done.filter(({ id }) => ids.has(id));
  const left = done.filter(({ id }) => !ids.has(id));
  if (isOpen) useWorkspace.setState({ done: left });
  else saveUndoStacks(user?.id, { done: left, undone, workspaceId: from });
  const known = loadUndoStacks(user?.id, to);
  saveUndoStacks(user?.id, { done: [...(known.done ?? []), ...steps], undone: [], workspaceId: to });
}

/** Opens the draft on the same screen, with the same selection and position of the map. */
function openDraft(draftId: string): void {
  const [, org = '', , , ...rest] = segmentsOf(currentPath());
  const screen = rest[0] === 'drafts' ? [] : rest;
  navigate(`${workspacePath(org, draftId, ...screen)}${location.search}`);
}

function announce(draft: Draft, edits: Queue, isNew: boolean): void {
  const what = edits.length === 1 ? 'Your change is' : `Your ${formatCount(edits.length, 'change')} are`;
  const title = truncate(draft.title, 60);
  if (!isNew) {
    showToast(`${what} in the draft “${title}”.`);
    return;
  }
  showToast(`This workspace is protected. ${what} in the new draft “${title}”.`, {
    label: 'Discard draft',
    run: () => void discard(draft).catch(showError),
  });
}

/** Closes a draft that was started unintentionally, and returns to its base. */
async function discard({ id, workspaceId }: Draft): Promise<void> {
  await closeDraft(id);
  invalidateDrafts(workspaceId, id);
  const [, org = '', , openId] = segmentsOf(currentPath());
  if (openId === id) navigate(workspacePath(org, workspaceId));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
