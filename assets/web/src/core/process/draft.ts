/**
 * What somebody types into a process, beside what the server knows of it. The server's account comes in at any time; it
 * takes the place of what nobody has touched here, and never of what somebody has.
 */
import type { Process } from '@/api/generated';
import { isSameValue, merge } from '@/core/sync/merge';

/** What of a process can be written. */
export interface ProcessContent {
  name: string;
  description: string;
  mermaid: string;
  participants: Record<string, string>;
}

export type ProcessField = keyof ProcessContent;

const FIELDS: readonly ProcessField[] = ['name', 'description', 'mermaid', 'participants'];

export interface ProcessDraft {
  /** What is shown and typed into. */
  mine: ProcessContent;
  /** What the server had when that was last the same, or was looked at. */
  base: ProcessContent;
  /** What was sent and not yet heard of again. */
  sent: readonly Partial<ProcessContent>[];
  /** What others have written where something was typed here. */
  theirs: Partial<ProcessContent>;
}

export function processContent({ name, description = '', mermaid, participants }: Process): ProcessContent {
  return { name, description, mermaid, participants: participants as Record<string, string> };
}

/** Begins with what the server has, or goes on with what was kept from before. */
export function startDraft(
  server: ProcessContent,
  kept?: { mine: ProcessContent; base: ProcessContent },
): ProcessDraft {
  if (!kept) return { mine: server, base: server, sent: [], theirs: {} };
  return withServerState({ ...kept, sent: [], theirs: {} }, server);
}

/** Something was typed. */
export function withInput(draft: ProcessDraft, fields: Partial<ProcessContent>): ProcessDraft {
  return { ...draft, mine: { ...draft.mine, ...fields } };
}

/** The server has told what it has now. */
export function withServerState(draft: ProcessDraft, server: ProcessContent): ProcessDraft {
  const mine: ProcessContent = { ...draft.mine };
  const base: ProcessContent = { ...draft.base };
  const theirs: Partial<ProcessContent> = {};
  for (const field of FIELDS) {
    const value = server[field];
    const isOurs = draft.sent.some((one) => field in one && isSameValue(one[field], value));
    if (isSameValue(value, base[field]) || isOurs || isSameValue(value, mine[field])) put(base, field, value);
    else if (isSameValue(mine[field], base[field])) {
      put(mine, field, value);
      put(base, field, value);
    } else if (field !== 'participants' || !mergeParticipants(mine, base, server)) put(theirs, field, value);
  }
  const sent = draft.sent.filter((one) =>
    FIELDS.some((field) => field in one && !isSameValue(one[field], base[field])),
  );
  return { mine, base, sent, theirs };
}

/** Two people map different participants: both stand. Answers whether that is so. */
function mergeParticipants(mine: ProcessContent, base: ProcessContent, server: ProcessContent): boolean {
  const [before, own, other] = [base.participants, mine.participants, server.participants];
  const { fields, clashes } = merge({ properties: before }, { properties: own }, { properties: other });
  if (clashes.length > 0) return false;
  mine.participants = fields.properties as Record<string, string>;
  base.participants = other;
  return true;
}

/** What is typed and neither sent nor disputed. */
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

/** Some of it was sent. */
export function markSent(draft: ProcessDraft, fields: Partial<ProcessContent>): ProcessDraft {
  return { ...draft, sent: [...draft.sent, fields] };
}

/** What was sent was not taken: it counts as typed again. */
export function markRefused(draft: ProcessDraft): ProcessDraft {
  return draft.sent.length === 0 ? draft : { ...draft, sent: [] };
}

/** What others have written takes the place of what was typed. */
export function acceptTheirs({ mine, base, sent, theirs }: ProcessDraft): ProcessDraft {
  return { mine: { ...mine, ...theirs }, base: { ...base, ...theirs }, sent, theirs: {} };
}

/** What was typed stays, and goes over what others have written. */
export function keepMine({ mine, base, theirs }: ProcessDraft): ProcessDraft {
  return { mine, base: { ...base, ...theirs }, sent: [], theirs: {} };
}

/** Whether something is here that the server does not have. */
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
