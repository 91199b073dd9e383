/**
 * The local draft of a process. Server changes replace fields that have no local changes, and never overwrite local
 * input.
 */
import type { Process } from '@/api/generated';
import { isSameValue, merge } from '@/core/sync/merge';

/** The editable fields of a process. */
export interface ProcessContent {
  name: string;
  description: string;
  mermaid: string;
  participants: Record<string, string>;
}

export type ProcessField = keyof ProcessContent;

const FIELDS: readonly ProcessField[] = ['name', 'description', 'mermaid', 'participants'];

export interface ProcessDraft {
  /** The values shown and edited. */
  mine: ProcessContent;
  /** The server values when both were last equal, or when the conflict was resolved. */
  base: ProcessContent;
  /** Values that were sent but are not confirmed. */
  sent: readonly Partial<ProcessContent>[];
  /** Values changed by others while there was local input. */
  theirs: Partial<ProcessContent>;
}

export function processContent({ name, description = '', mermaid, participants }: Process): ProcessContent {
  return { name, description, mermaid, participants: participants as Record<string, string> };
}

/** Starts from the server state, or restores a stored draft. */
export function startDraft(
  server: ProcessContent,
  kept?: { mine: ProcessContent; base: ProcessContent },
): ProcessDraft {
  if (!kept) return { mine: server, base: server, sent: [], theirs: {} };
  return withServerState({ ...kept, sent: [], theirs: {} }, server);
}

/** Applies local input. */
export function withInput(draft: ProcessDraft, fields: Partial<ProcessContent>): ProcessDraft {
  return { ...draft, mine: { ...draft.mine, ...fields } };
}

/** Applies the server state. */
export function withServerState(draft: ProcessDraft, server: ProcessContent): ProcessDraft {
  const mine: ProcessContent = { ...draft.mine };
  const base: ProcessContent = { ...draft.base };
  const theirs: Partial<ProcessContent> = {};
  for (const field of FIELDS) {
    const value = server[field];
    const isOurs = draft.sent.some((fields) => field in fields && isSameValue(fields[field], value));
    if (isSameValue(value, base[field]) || isOurs || isSameValue(value, mine[field])) put(base, field, value);
    else if (isSameValue(mine[field], base[field])) {
      put(mine, field, value);
      put(base, field, value);
    } else if (field !== 'participants' || !mergeParticipants(mine, base, server)) put(theirs, field, value);
  }
  const sent = draft.sent.filter((fields) =>
    FIELDS.some((field) => field in fields && !isSameValue(fields[field], base[field])),
  );
  return { mine, base, sent, theirs };
}

/** Merges mappings of different participants. Returns whether that was possible. */
function mergeParticipants(mine: ProcessContent, base: ProcessContent, server: ProcessContent): boolean {
  const [before, own, other] = [base.participants, mine.participants, server.participants];
  const { fields, fieldConflicts } = merge(
    { properties: before },
    { properties: own },
    { properties: other },
  );
  if (fieldConflicts.length > 0) return false;
  mine.participants = fields.properties as Record<string, string>;
  base.participants = other;
  return true;
}

/** Local input that has not been sent and is not in conflict. */
export function unsentFields({ mine, base, sent, theirs }: ProcessDraft): Partial<ProcessContent> {
  const last = Object.assign({}, ...sent) as Partial<ProcessContent>;
  const fields: Partial<ProcessContent> = {};
  for (const field of FIELDS) {
    if (field in theirs) continue;
    const known = field in last ? last[field] : base[field];
    if (!isSameValue(mine[field], known)) put(fields, field, mine[field]);
  }
  return fields;
}

/** Marks values as sent. */
export function markSent(draft: ProcessDraft, fields: Partial<ProcessContent>): ProcessDraft {
  return { ...draft, sent: [...draft.sent, fields] };
}

/** Turns sent values back into local input after the server rejected them. */
export function markRejected(draft: ProcessDraft): ProcessDraft {
  return draft.sent.length === 0 ? draft : { ...draft, sent: [] };
}

/** Resolves a conflict with the server's values. */
export function acceptTheirs({ mine, base, sent, theirs }: ProcessDraft): ProcessDraft {
  return { mine: { ...mine, ...theirs }, base: { ...base, ...theirs }, sent, theirs: {} };
}

/** Resolves a conflict with the local values, which overwrite the server's. */
export function keepMine({ mine, base, theirs }: ProcessDraft): ProcessDraft {
  return { mine, base: { ...base, ...theirs }, sent: [], theirs: {} };
}

/** Whether there are changes that the server does not have. */
export function isDirty({ mine, base }: ProcessDraft): boolean {
  return FIELDS.some((field) => !isSameValue(mine[field], base[field]));
}

function put<K extends ProcessField>(
  into: Partial<ProcessContent>,
  field: K,
  value: ProcessContent[K],
): void {
  into[field] = value;
}
