/**
 * Drafts of processes, which outlive screens while the window is open. Each is saved shortly after its author pauses,
 * as an operation of the workspace.
 */
import { create } from 'zustand';
import type { Process } from '@/api/generated';
import { useSession } from '@/api/session';
import { nameProblem, textProblem } from '@/core/model/validation';
import {
  acceptTheirs,
  keepMine,
  markRejected,
  markSent,
  type ProcessContent,
  type ProcessDraft,
  processContent,
  startDraft,
  unsentFields,
  withInput,
  withServerState,
} from '@/core/process/draft';
import { processTextProblem } from '@/core/process/source';
import { writtenRows } from '@/core/sync/operation';
import { type Edit, rowsWrittenBy } from '@/core/sync/queue';
import { retryEdit } from '@/core/sync/resolve';
import { registerPendingInput } from '@/workspace/outboxes';
import { edit, updateQueue, useWorkspace } from '@/workspace/store';
import { forgetDraft, loadDraft, storeDraft } from './draftStorage';

/** Delay after the last keystroke before a draft is saved, in milliseconds. */
const SAVE_DELAY_MS = 1200;

interface Drafts {
  drafts: ReadonlyMap<string, ProcessDraft>;
  /** The server's error message for the last save. */
  problems: ReadonlyMap<string, string>;
}

const useDrafts = create<Drafts>()(() => ({ drafts: new Map(), problems: new Map() }));

const timers = new Map<string, ReturnType<typeof setTimeout>>();

/** The key prefix of drafts. Users sharing this browser have separate drafts. */
function rootOf(userId: number | undefined, workspaceId: string): string {
  return `${userId}/${workspaceId}/`;
}

function ownRoot(): string {
  return rootOf(useSession.getState().user?.id, useWorkspace.getState().workspaceId);
}

function keyOf(processId: string): string {
  return ownRoot() + processId;
}

function useKey(workspaceId: string, processId: string): string {
  const userId = useSession(({ user }) => user?.id);
  return rootOf(userId, workspaceId) + processId;
}

export function useDraft(workspaceId: string, processId: string): ProcessDraft | undefined {
  const key = useKey(workspaceId, processId);
  return useDrafts(({ drafts }) => drafts.get(key));
}

/** The draft of a process in the open workspace, for use outside of React. */
export function draftOf(processId: string): ProcessDraft | undefined {
  return useDrafts.getState().drafts.get(keyOf(processId));
}

/** The reason why the last save failed; empty if it succeeded. */
export function useProblem(workspaceId: string, processId: string): string {
  const key = useKey(workspaceId, processId);
  return useDrafts(({ problems }) => problems.get(key) ?? '');
}

/** The row on the server, without the local queue. A new process exists only in the queue. */
function serverRow(processId: string): Process | undefined {
  const { serverRows: known, rows } = useWorkspace.getState();
  return known?.process.get(processId) ?? rows?.process.get(processId);
}

/** Starts or updates a draft. Called whenever the server reports a change. */
export function syncDraft(processId: string): void {
  const row = serverRow(processId);
  if (!row) return;
  const key = keyOf(processId);
  const content = processContent(row);
  const before = useDrafts.getState().drafts.get(key);
  setDraft(key, before ? withServerState(before, content) : startDraft(content, loadDraft(key)));
  watch(key, processId);
}

/** Loads unsaved text from this browser. */
function watch(key: string, processId: string): void {
  const failed = useWorkspace
    .getState()
    .queue.findLast((edit) => isFailed(edit) && rowsWrittenBy(edit).has(`process/${processId}`));
  // The draft itself shows conflicts, because it contains both sides.
  const problem = failed?.state === 'refused' ? (failed.problem ?? 'The server rejected the change.') : '';
  const { problems } = useDrafts.getState();
  if ((problems.get(key) ?? '') !== problem) {
    useDrafts.setState({ problems: new Map(problems).set(key, problem) });
  }
}

export function updateDraft(processId: string, fields: Partial<ProcessContent>): void {
  const key = keyOf(processId);
  const draft = useDrafts.getState().drafts.get(key);
  if (!draft) return;
  setDraft(key, withInput(draft, fields));
  clearTimeout(timers.get(key));
  timers.set(
    key,
    setTimeout(() => saveDraft(processId), SAVE_DELAY_MS),
  );
}

/** Saves the draft, except for fields that the server would reject. */
export function saveDraft(processId: string): void {
  const key = keyOf(processId);
  clearTimeout(timers.get(key));
  const { rows, past } = useWorkspace.getState();
  const row = rows?.process.get(processId);
  let draft = useDrafts.getState().drafts.get(key);
  if (!row || !draft || past) return;
  if (clearFailed(processId)) draft = markRejected(draft);
  const fields = unsentFields(draft);
  if (fields.mermaid !== undefined && processTextProblem(fields.mermaid)) {
    // The mapping may refer to participants in this text, so save both together.
    delete fields.mermaid;
    delete fields.participants;
  }
  if (fields.name !== undefined && nameProblem(fields.name)) delete fields.name;
  if (fields.description !== undefined && textProblem(fields.description)) delete fields.description;
  if (Object.keys(fields).length === 0) return;
  const base = serverRow(processId)?.revision ?? 0;
  const { name, description, mermaid, participants } = draft.base;
  const all: ProcessContent = { name, description, mermaid, participants };
  const before = Object.fromEntries(
    Object.keys(fields).map((field) => [field, all[field as keyof ProcessContent]]),
  );
  setDraft(key, markSent(draft, fields));
  edit(labelOf(row, fields), [
    { op: 'update', kind: 'process', id: processId, fields: { ...fields }, before, base },
  ]);
}

function isUnsent(draft: ProcessDraft): boolean {
  return Object.keys(unsentFields(draft)).length > 0;
}

registerPendingInput({
  flush: () => {
    const root = ownRoot();
    for (const [key, draft] of useDrafts.getState().drafts) {
      if (key.startsWith(root) && isUnsent(draft)) saveDraft(key.slice(root.length));
    }
  },
  // Invalid text, such as an incomplete diagram, is kept in this browser.
  count: () => {
    const own = `${useSession.getState().user?.id}/`;
    return [...useDrafts.getState().drafts].filter(([key, draft]) => key.startsWith(own) && isUnsent(draft))
      .length;
  },
});

function labelOf({ name }: Process, fields: Partial<ProcessContent>): string {
  const only = Object.keys(fields);
  if (only.length === 1 && only[0] === 'participants') return `Map participants of “${name}”`;
  return `Change process “${name}”`;
}

function isFailed({ state }: Edit): boolean {
  return state === 'refused' || state === 'conflict';
}

/** Removes failed edits of this process from the queue. The draft resends their content. */
function clearFailed(processId: string): boolean {
  const row = `process/${processId}`;
  const { queue } = useWorkspace.getState();
  if (!queue.some((edit) => isFailed(edit) && rowsWrittenBy(edit).has(row))) return false;
  updateQueue((now) =>
    now.flatMap((edit) => {
      if (!isFailed(edit)) return [edit];
      const operations = edit.operations.filter((operation) => !writtenRows(operation).includes(row));
      if (operations.length === edit.operations.length) return [edit];
      // Resend the other operations of the edit.
      return operations.length > 0 ? [retry({ ...edit, operations })] : [];
    }),
  );
  return true;
}

function retry(edit: Edit): Edit {
  return retryEdit([edit], edit.id)[0] ?? edit;
}

/** Resolves a conflict by using the server's version or overwriting it. */
export function resolveDraft(processId: string, version: 'theirs' | 'mine'): void {
  const key = keyOf(processId);
  const draft = useDrafts.getState().drafts.get(key);
  if (!draft) return;
  clearFailed(processId);
  setDraft(key, version === 'theirs' ? acceptTheirs(draft) : keepMine(draft));
  if (version === 'mine') saveDraft(processId);
}

/** Discards unsaved input. */
export function discardDraft(processId: string): void {
  const key = keyOf(processId);
  clearTimeout(timers.get(key));
  clearFailed(processId);
  const row = serverRow(processId);
  const drafts = new Map(useDrafts.getState().drafts);
  if (row) drafts.set(key, startDraft(processContent(row)));
  else drafts.delete(key);
  forgetDraft(key);
  useDrafts.setState({ drafts, problems: new Map(useDrafts.getState().problems).set(key, '') });
}

function setDraft(key: string, draft: ProcessDraft): void {
  const { drafts } = useDrafts.getState();
  if (drafts.get(key) === draft) return;
  useDrafts.setState({ drafts: new Map(drafts).set(key, draft) });
  storeDraft(key, draft);
}
