/**
 * What somebody types into a process, beside what the server knows of it. The server's account comes in at any time; it
 * takes the place of what nobody has touched here, and never of what somebody has.
 */
import type { Process } from '@/api/generated';
import { merge, same } from '@/core/sync/merge';

/** What of a process can be written. */
export interface Content {
  name: string;
  description: string;
  mermaid: string;
  participants: Record<string, string>;
}

export type Field = keyof Content;

const FIELDS: readonly Field[] = ['name', 'description', 'mermaid', 'participants'];

export interface Draft {
  /** What is shown and typed into. */
  mine: Content;
  /** What the server had when that was last the same, or was looked at. */
  base: Content;
  /** What was sent and not yet heard of again. */
  sent: readonly Partial<Content>[];
  /** What others have written where something was typed here. */
  theirs: Partial<Content>;
}

export function contentOf({ name, description = '', mermaid, participants }: Process): Content {
  return { name, description, mermaid, participants: participants as Record<string, string> };
}

/** Begins with what the server has, or goes on with what was kept from before. */
export function begun(server: Content, kept?: { mine: Content; base: Content }): Draft {
  if (!kept) return { mine: server, base: server, sent: [], theirs: {} };
  return told({ ...kept, sent: [], theirs: {} }, server);
}

/** Something was typed. */
export function typed(draft: Draft, fields: Partial<Content>): Draft {
  return { ...draft, mine: { ...draft.mine, ...fields } };
}

/** The server has told what it has now. */
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

/** Two people map different participants: both stand. Answers whether that is so. */
function mapped(mine: Content, base: Content, server: Content): boolean {
  const [before, own, other] = [base.participants, mine.participants, server.participants];
  const { fields, clashes } = merge({ properties: before }, { properties: own }, { properties: other });
  if (clashes.length > 0) return false;
  mine.participants = fields.properties as Record<string, string>;
  base.participants = other;
  return true;
}

/** What is typed and neither sent nor disputed. */
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

/** Some of it was sent. */
export function sending(draft: Draft, fields: Partial<Content>): Draft {
  return { ...draft, sent: [...draft.sent, fields] };
}

/** What was sent was not taken: it counts as typed again. */
export function refused(draft: Draft): Draft {
  return draft.sent.length === 0 ? draft : { ...draft, sent: [] };
}

/** What others have written takes the place of what was typed. */
export function tookTheirs({ mine, base, sent, theirs }: Draft): Draft {
  return { mine: { ...mine, ...theirs }, base: { ...base, ...theirs }, sent, theirs: {} };
}

/** What was typed stays, and goes over what others have written. */
export function keptMine({ mine, base, theirs }: Draft): Draft {
  return { mine, base: { ...base, ...theirs }, sent: [], theirs: {} };
}

/** Whether something is here that the server does not have. */
export function isDirty({ mine, base }: Draft): boolean {
  return FIELDS.some((field) => !same(mine[field], base[field]));
}

function put<K extends Field>(into: Partial<Content>, field: K, value: Content[K]): void {
  into[field] = value;
}
