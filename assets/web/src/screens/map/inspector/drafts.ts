/**
 * Stores drafts of inspector fields until they are saved. Drafts outlive the field and the page: a draft that cannot be
 * saved is shown again when its row is selected, and remote changes never overwrite it.
 */

import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { ownName } from '@/api/base';
import { useSession } from '@/api/session';
import { registerPendingInput } from '@/workspace/outboxes';
import { useWorkspace } from '@/workspace/store';

/** The text being edited, and the row's value when editing began. */
interface FieldDraft {
  text: string;
  since: string;
  revision: number;
}

type FieldDrafts = ReadonlyMap<string, FieldDraft>;

/** The storage key of drafts, per window. */
const KEY = ownName('planroom.inspector');

const useDrafts = create<{ drafts: FieldDrafts }>()(() => ({ drafts: loadDrafts() }));
useDrafts.subscribe(({ drafts }) => saveDrafts(drafts));

function loadDrafts(): FieldDrafts {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, FieldDraft][]);
  } catch {
    return new Map();
  }
}

/** Without storage, drafts are lost when the page is closed. */
function saveDrafts(drafts: FieldDrafts): void {
  try {
    if (drafts.size > 0) sessionStorage.setItem(KEY, JSON.stringify([...drafts]));
    else sessionStorage.removeItem(KEY);
  } catch {
    sessionStorage.removeItem(KEY);
  }
}

function setDraft(id: string, draft: FieldDraft | undefined): void {
  useDrafts.setState(({ drafts }) => {
    const next = new Map(drafts);
    if (draft) next.set(id, draft);
    else next.delete(id);
    return { drafts: next };
  });
}

interface FieldOptions {
  /** The field and row, for example `component/web/name`. */
  id: string;
  /** The current value of the row. */
  value: string;
  /** The row's revision. */
  revision: number;
  problemOf: (text: string) => string | undefined;
  /** Saves a valid text. `since` and `base` are the value and revision when editing began. */
  save: (text: string, since: string, base: number) => void;
}

export interface Field {
  text: string;
  problem: string | undefined;
  /** Whether another user changed the value since editing began. */
  isOvertaken: boolean;
  type: (text: string) => void;
  /** Saves the draft. Returns whether there is nothing left to save. */
  commit: () => boolean;
  restore: () => void;
}

export function useDraft(field: FieldOptions): Field {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const userId = useSession(({ user }) => user?.id);
  const scopedField = { ...field, userId, workspaceId, id: `${userId}/${workspaceId}/${field.id}` };
  const { id, value, revision, problemOf } = scopedField;
  const draft = useDrafts(({ drafts }) => drafts.get(id));
  const problem = draft && draft.text !== value ? problemOf(draft.text) : undefined;
  const latest = useRef(scopedField);
  latest.current = scopedField;

  const commit = () => commitDraft(latest.current);
  // When a field unmounts because the selection changes, save it as on blur.
  useEffect(() => {
    const leave = () => commitDraft(latest.current);
    mountedFields.add(leave);
    return () => {
      mountedFields.delete(leave);
      leave();
    };
  }, []);
  return {
    text: draft?.text ?? value,
    problem,
    isOvertaken: draft !== undefined && draft.since !== value && draft.text !== value,
    type: (text) =>
      setDraft(id, { text, since: draft?.since ?? value, revision: draft?.revision ?? revision }),
    commit,
    restore: () => setDraft(id, undefined),
  };
}

/** The save functions of mounted fields. */
const mountedFields = new Set<() => boolean>();

registerPendingInput({
  flush: () => {
    for (const leave of mountedFields) leave();
  },
  // Invalid values, such as a name that is too long, are kept in this window.
  count: () => {
    const own = `${useSession.getState().user?.id}/`;
    return [...useDrafts.getState().drafts.keys()].filter((id) => id.startsWith(own)).length;
  },
});

interface ScopedField extends FieldOptions {
  userId: number | undefined;
  workspaceId: string;
}

function commitDraft({ id, userId, workspaceId, value, revision, problemOf, save }: ScopedField): boolean {
  const draft = useDrafts.getState().drafts.get(id);
  if (!draft) return true;
  if (draft.text !== value && problemOf(draft.text)) return false;
  // If another workspace, a past state or another user is active, keep the draft for later.
  const state = useWorkspace.getState();
  if (state.workspaceId !== workspaceId || state.past || useSession.getState().user?.id !== userId)
    return false;
  setDraft(id, undefined);
  // If there is no conflicting change, the write applies to the current row.
  const base = draft.since === value ? revision : draft.revision;
  if (draft.text !== value) save(draft.text, draft.since, base);
  return true;
}
