/**
 * What is being typed into the inspector, until it is saved. It outlives the field, and the page: what cannot be saved
 * yet is there again when its row is selected the next time, and what others change meanwhile never overwrites it.
 */
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { useSession } from '@/api/session';
import { registerPendingInput } from '@/workspace/outboxes';
import { useWorkspace } from '@/workspace/store';

/** A text on its way, and what the row held when it was begun. */
interface FieldDraft {
  text: string;
  since: string;
  revision: number;
}

type FieldDrafts = ReadonlyMap<string, FieldDraft>;

/** Where they are kept, for this window. */
const KEY = 'planroom.inspector';

const useDrafts = create<{ drafts: FieldDrafts }>()(() => ({ drafts: loadDrafts() }));
useDrafts.subscribe(({ drafts }) => saveDrafts(drafts));

function loadDrafts(): FieldDrafts {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, FieldDraft][]);
  } catch {
    return new Map();
  }
}

/** Where the browser has no room, what is typed is forgotten with the page; until then it is on the screen. */
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
  /** Which field of which row: `component/web/name`. */
  id: string;
  /** What the row holds now. */
  value: string;
  /** The row's revision. */
  revision: number;
  problemOf: (text: string) => string | undefined;
  /** Saves a text that has no problem. `since` and `base` are what it was begun with. */
  save: (text: string, since: string, base: number) => void;
}

export interface Field {
  text: string;
  problem: string | undefined;
  /** Somebody else has changed it since one began to type. */
  isOvertaken: boolean;
  type: (text: string) => void;
  /** Saves. Answers whether there is nothing left to save. */
  commit: () => boolean;
  restore: () => void;
}

export function useDraft(field: FieldOptions): Field {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const userId = useSession(({ user }) => user?.id);
  const asked = { ...field, userId, workspaceId, id: `${userId}/${workspaceId}/${field.id}` };
  const { id, value, revision, problemOf } = asked;
  const draft = useDrafts(({ drafts }) => drafts.get(id));
  const problem = draft && draft.text !== value ? problemOf(draft.text) : undefined;
  const latest = useRef(asked);
  latest.current = asked;

  const commit = () => committed(latest.current);
  // A field that goes, because something else is selected, saves as one that is left.
  useEffect(() => {
    const leave = () => committed(latest.current);
    open.add(leave);
    return () => {
      open.delete(leave);
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

/** The fields that are on the screen, as ways to leave them. */
const open = new Set<() => boolean>();

registerPendingInput({
  hand: () => {
    for (const leave of open) leave();
  },
  // A name that is too long, say: it stays in this window.
  count: () => {
    const own = `${useSession.getState().user?.id}/`;
    return [...useDrafts.getState().drafts.keys()].filter((id) => id.startsWith(own)).length;
  },
});

interface Owned extends FieldOptions {
  userId: number | undefined;
  workspaceId: string;
}

function committed({ id, userId, workspaceId, value, revision, problemOf, save }: Owned): boolean {
  const draft = useDrafts.getState().drafts.get(id);
  if (!draft) return true;
  if (draft.text !== value && problemOf(draft.text)) return false;
  // Another workspace is open by now, or a past state is shown, or somebody else is here: it waits until that is over.
  const state = useWorkspace.getState();
  if (state.workspaceId !== workspaceId || state.past || useSession.getState().user?.id !== userId)
    return false;
  setDraft(id, undefined);
  // Where nobody was faster it is meant for the row as it is now, whatever else of it has changed.
  const base = draft.since === value ? revision : draft.revision;
  if (draft.text !== value) save(draft.text, draft.since, base);
  return true;
}
