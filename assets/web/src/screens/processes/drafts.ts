/**
 * Drafts of processes. They outlive screens, for as long as the window is open. Each is saved a moment after its author
 * pauses, as an operation of the workspace.
 */
import { create } from 'zustand';
import type { Process } from '@/api/generated';
import { useSession } from '@/api/session';
import { problemOfName, problemOfText } from '@/core/model/valid';
import {
  begun,
  type Content,
  contentOf,
  type Draft,
  keptMine,
  refused,
  sending,
  told,
  tookTheirs,
  typed,
  unsent,
} from '@/core/process/draft';
import { refusal } from '@/core/process/source';
import { retried } from '@/core/sync/decide';
import { touched } from '@/core/sync/operation';
import { type Edit, touchedBy } from '@/core/sync/queue';
import { holdsBack } from '@/plan/outboxes';
import { edit, enqueue, usePlan } from '@/plan/store';
import { forget, keep, kept } from './keep';

/** Pause after the last keystroke before a draft is saved, in milliseconds. */
const PAUSE = 1200;

interface Drafts {
  drafts: ReadonlyMap<string, Draft>;
  /** The server's error message for the last save. */
  problems: ReadonlyMap<string, string>;
}

const useDrafts = create<Drafts>()(() => ({ drafts: new Map(), problems: new Map() }));

const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** The user and workspace of a draft: other users of this browser have their own. */
function rootOf(userId: number | undefined, workspaceId: string): string {
  return `${userId}/${workspaceId}/`;
}

function ownRoot(): string {
  return rootOf(useSession.getState().user?.id, usePlan.getState().workspaceId);
}

function keyOf(processId: string): string {
  return ownRoot() + processId;
}

function useKey(workspaceId: string, processId: string): string {
  const userId = useSession(({ user }) => user?.id);
  return rootOf(userId, workspaceId) + processId;
}

export function useDraft(workspaceId: string, processId: string): Draft | undefined {
  const key = useKey(workspaceId, processId);
  return useDrafts(({ drafts }) => drafts.get(key));
}

/** The same outside of React, for the open workspace. */
export function draftOf(processId: string): Draft | undefined {
  return useDrafts.getState().drafts.get(keyOf(processId));
}

/** Why the last save failed; empty if it did not. */
export function useProblem(workspaceId: string, processId: string): string {
  const key = useKey(workspaceId, processId);
  return useDrafts(({ problems }) => problems.get(key) ?? '');
}

/** The row of the server, without the local queue. A new process exists in the queue only. */
function serverRow(processId: string): Process | undefined {
  const { told: known, rows } = usePlan.getState();
  return known?.process.get(processId) ?? rows?.process.get(processId);
}

/** Starts or updates a draft. Called whenever the server reports a change. */
export function attend(processId: string): void {
  const row = serverRow(processId);
  if (!row) return;
  const key = keyOf(processId);
  const content = contentOf(row);
  const before = useDrafts.getState().drafts.get(key);
  put(key, before ? told(before, content) : begun(content, kept(key)));
  watch(key, processId);
}

/** Looks for unsaved text in this browser. */
function watch(key: string, processId: string): void {
  const failed = usePlan
    .getState()
    .queue.findLast((edit) => isFailed(edit) && touchedBy(edit).has(`process/${processId}`));
  // The draft itself shows conflicts, because it has both sides.
  const problem = failed?.state === 'refused' ? (failed.problem ?? 'The server rejected the change.') : '';
  const { problems } = useDrafts.getState();
  if ((problems.get(key) ?? '') !== problem) {
    useDrafts.setState({ problems: new Map(problems).set(key, problem) });
  }
}

export function type(processId: string, fields: Partial<Content>): void {
  const key = keyOf(processId);
  const draft = useDrafts.getState().drafts.get(key);
  if (!draft) return;
  put(key, typed(draft, fields));
  clearTimeout(timers.get(key));
  timers.set(
    key,
    setTimeout(() => saveDraft(processId), PAUSE),
  );
}

/** Saves the draft, except for what the server would reject. */
export function saveDraft(processId: string): void {
  const key = keyOf(processId);
  clearTimeout(timers.get(key));
  const { rows, past } = usePlan.getState();
  const row = rows?.process.get(processId);
  let draft = useDrafts.getState().drafts.get(key);
  if (!row || !draft || past) return;
  if (clearFailed(processId)) draft = refused(draft);
  const fields = unsent(draft);
  if (fields.mermaid !== undefined && refusal(fields.mermaid)) {
    // The mapping may refer to participants of this text, so both are saved together.
    delete fields.mermaid;
    delete fields.participants;
  }
  if (fields.name !== undefined && problemOfName(fields.name)) delete fields.name;
  if (fields.description !== undefined && problemOfText(fields.description)) delete fields.description;
  if (Object.keys(fields).length === 0) return;
  const base = serverRow(processId)?.revision ?? 0;
  const { name, description, mermaid, participants } = draft.base;
  const all: Content = { name, description, mermaid, participants };
  const before = Object.fromEntries(Object.keys(fields).map((field) => [field, all[field as keyof Content]]));
  put(key, sending(draft, fields));
  edit(labelOf(row, fields), [
    { op: 'update', kind: 'process', id: processId, fields: { ...fields }, before, base },
  ]);
}

function isUnsent(draft: Draft): boolean {
  return Object.keys(unsent(draft)).length > 0;
}

holdsBack({
  hand: () => {
    const root = ownRoot();
    for (const [key, draft] of useDrafts.getState().drafts) {
      if (key.startsWith(root) && isUnsent(draft)) saveDraft(key.slice(root.length));
    }
  },
  // Invalid text, such as an incomplete diagram, stays in this browser.
  count: () => {
    const own = `${useSession.getState().user?.id}/`;
    return [...useDrafts.getState().drafts].filter(([key, draft]) => key.startsWith(own) && isUnsent(draft))
      .length;
  },
});

function labelOf({ name }: Process, fields: Partial<Content>): string {
  const only = Object.keys(fields);
  if (only.length === 1 && only[0] === 'participants') return `Map participants of “${name}”`;
  return `Change process “${name}”`;
}

function isFailed({ state }: Edit): boolean {
  return state === 'refused' || state === 'conflict';
}

/** Removes failed edits of this process from the queue; the draft sends its content again. */
function clearFailed(processId: string): boolean {
  const row = `process/${processId}`;
  const { queue } = usePlan.getState();
  if (!queue.some((edit) => isFailed(edit) && touchedBy(edit).has(row))) return false;
  enqueue((now) =>
    now.flatMap((edit) => {
      if (!isFailed(edit)) return [edit];
      const operations = edit.operations.filter((operation) => !touched(operation).includes(row));
      if (operations.length === edit.operations.length) return [edit];
      // The other operations of the edit are sent again without it.
      return operations.length > 0 ? [retry({ ...edit, operations })] : [];
    }),
  );
  return true;
}

function retry(edit: Edit): Edit {
  return retried([edit], edit.id)[0] ?? edit;
}

/** Resolves a conflict: use the server's version or overwrite it. */
export function settle(processId: string, whose: 'theirs' | 'mine'): void {
  const key = keyOf(processId);
  const draft = useDrafts.getState().drafts.get(key);
  if (!draft) return;
  clearFailed(processId);
  put(key, whose === 'theirs' ? tookTheirs(draft) : keptMine(draft));
  if (whose === 'mine') saveDraft(processId);
}

/** Discards unsaved input. */
export function discard(processId: string): void {
  const key = keyOf(processId);
  clearTimeout(timers.get(key));
  clearFailed(processId);
  const row = serverRow(processId);
  const drafts = new Map(useDrafts.getState().drafts);
  if (row) drafts.set(key, begun(contentOf(row)));
  else drafts.delete(key);
  forget(key);
  useDrafts.setState({ drafts, problems: new Map(useDrafts.getState().problems).set(key, '') });
}

function put(key: string, draft: Draft): void {
  const { drafts } = useDrafts.getState();
  if (drafts.get(key) === draft) return;
  useDrafts.setState({ drafts: new Map(drafts).set(key, draft) });
  keep(key, draft);
}
