/**
 * The draft of a process beside its server state. Server changes replace fields that are unchanged here, and never
 * local input.
 */
import type { Process } from '@/api/generated';
import { merge, same } from '@/core/sync/merge';

/** The editable fields of a process. */
export interface Content {
  name: string;
  description: string;
  mermaid: string;
  participants: Record<string, string>;
}

export type Field = keyof Content;

const FIELDS: readonly Field[] = ['name', 'description', 'mermaid', 'participants'];

export interface Draft {
  /** The values shown and edited. */
  mine: Content;
  /** The server values when both were last equal, or the conflict was resolved. */
  base: Content;
  /** Values sent but not confirmed. */
  sent: readonly Partial<Content>[];
  /** Values that others changed while there was local input. */
  theirs: Partial<Content>;
}

export function contentOf({ name, description = '', mermaid, participants }: Process): Content {
  return { name, description, mermaid, participants: participants as Record<string, string> };
}

/** Starts from the server state, or continues a stored draft. */
export function begun(server: Content, kept?: { mine: Content; base: Content }): Draft {
  if (!kept) return { mine: server, base: server, sent: [], theirs: {} };
  return told({ ...kept, sent: [], theirs: {} }, server);
}

/** Applies local input. */
export function typed(draft: Draft, fields: Partial<Content>): Draft {
  return { ...draft, mine: { ...draft.mine, ...fields } };
}

/** Applies the server state. */
export function told(draft: Draft, server: Content): Draft {
  const mine: Content = { ...draft.mine };
  const base: Content = { ...draft.base };
  const theirs: Partial<Content> = {};
  for (const field of FIELDS) {
    const value = server[field];
    const isOurs = draft.sent.some((one) => field in one && same(one[field], value));
    if (same(value, base[field]) || isOurs || same(value, mine[field])) put(base, field, value);
    else if (same(mine[field], base[field])) {
      put(mine, field, value);
      put(base, field, value);
    } else if (field !== 'participants' || !mapped(mine, base, server)) put(theirs, field, value);
  }
  const sent = draft.sent.filter((one) =>
    FIELDS.some((field) => field in one && !same(one[field], base[field])),
  );
  return { mine, base, sent, theirs };
}

/** Merges mappings of different participants. Returns whether that was possible. */
function mapped(mine: Content, base: Content, server: Content): boolean {
  const [before, own, other] = [base.participants, mine.participants, server.participants];
  const { fields, clashes } = merge({ properties: before }, { properties: own }, { properties: other });
  if (clashes.length > 0) return false;
  mine.participants = fields.properties as Record<string, string>;
  base.participants = other;
  return true;
}

/** Local input that is neither sent nor in conflict. */
export function unsent({ mine, base, sent, theirs }: Draft): Partial<Content> {
  const last = Object.assign({}, ...sent) as Partial<Content>;
  const fields: Partial<Content> = {};
  for (const field of FIELDS) {
    if (field in theirs) continue;
    const known = field in last ? last[field] : base[field];
    if (!same(mine[field], known)) put(fields, field, mine[field]);
  }
  return fields;
}

/** Marks values as sent. */
export function sending(draft: Draft, fields: Partial<Content>): Draft {
  return { ...draft, sent: [...draft.sent, fields] };
}

/** The server rejected the values: they are local input again. */
export function refused(draft: Draft): Draft {
  return draft.sent.length === 0 ? draft : { ...draft, sent: [] };
}

/** Resolves a conflict with the server's values. */
export function tookTheirs({ mine, base, sent, theirs }: Draft): Draft {
  return { mine: { ...mine, ...theirs }, base: { ...base, ...theirs }, sent, theirs: {} };
}

/** Resolves a conflict with the local values, which overwrite the server's. */
export function keptMine({ mine, base, theirs }: Draft): Draft {
  return { mine, base: { ...base, ...theirs }, sent: [], theirs: {} };
}

/** Whether there is input that the server does not have. */
export function isDirty({ mine, base }: Draft): boolean {
  return FIELDS.some((field) => !same(mine[field], base[field]));
}

function put<K extends Field>(into: Partial<Content>, field: K, value: Content[K]): void {
  into[field] = value;
}
