/** Takes over what the server says has happened. */
import type { Change, Component, Process, Relationship, Stakeholder, Workspace } from '@/api/generated';
import { KINDS, type Kind, mapOf, type RowOf, type Rows } from './rows';

/** The rows after a change. One that is in them already changes nothing. */
export function applyChange(rows: Rows, change: Change): Rows {
  return applyChanges(rows, [change]);
}

/** The rows after several changes, in their order. However many there are, each kind of rows is copied once. */
export function applyChanges(rows: Rows, changes: readonly Change[]): Rows {
  const draft = new RowsDraft(rows);
  for (const change of changes) {
    if (DIRECTORY_KINDS.has(change.entity)) draft.rows = renamed(draft.rows, change, draft);
    else if (change.revision >= draft.rows.revision) draft.apply(change);
  }
  draft.release();
  draft.order();
  return draft.rows;
}

interface OrderedRow {
  id: string;
  place: number;
}

/** Where a row stands whose place is not known. */
const LAST_POSITION = Number.MAX_SAFE_INTEGER;

function byPosition(one: OrderedRow, other: OrderedRow): number {
  return one.place - other.place || (one.id < other.id ? -1 : 1);
}

/** Rows that are being changed: maps that were copied already are written in place. */
class RowsDraft {
  rows: Rows;
  readonly #own = new Set<Kind>();
  /** Kinds of which something has come, or has another place. */
  readonly #moved = new Set<Kind>();
  /** Components that are gone, and on which something may hang yet. */
  readonly #gone = new Set<string>();

  constructor(rows: Rows) {
    this.rows = rows;
  }

  map<K extends Kind>(kind: K): Map<string, RowOf[K]> {
    if (!this.#own.has(kind)) {
      this.rows = { ...this.rows, [kind]: new Map(mapOf(this.rows, kind)) };
      this.#own.add(kind);
    }
    return mapOf(this.rows, kind) as Map<string, RowOf[K]>;
  }

  apply(change: Change): void {
    const kind = KINDS.find((one) => one === change.entity);
    if (change.entity === 'workspace' && change.row) {
      // Who may do what is told to each caller alone: it is not in the log.
      const { myRole } = this.rows.workspace;
      const workspace = { ...this.rows.workspace, ...(change.row as Partial<Workspace>), myRole };
      this.rows = { ...this.rows, workspace };
    } else if (kind && change.row) {
      // What comes may hang on a component that was brought back by the same id.
      this.release();
      this.#place(kind, change);
      this.map<Kind>(kind).set(change.entityId, rowOf(this.rows, kind, change));
    } else if (kind) {
      this.map(kind).delete(change.entityId);
      if (kind === 'component') this.#gone.add(change.entityId);
    }
    const workspace = { ...this.rows.workspace, revision: change.revision };
    this.rows = { ...this.rows, revision: change.revision, workspace };
  }

  /** Brings the rows in order: what comes back by an undo does not come last, but where it was. */
  order(): void {
    for (const kind of this.#moved) {
      const places = this.rows.places[kind];
      const placed = [...this.map<Kind>(kind)].map(([id, row]) => ({
        id,
        row,
        place: places.get(id) ?? LAST_POSITION,
      }));
      const isOrdered = placed.every(
        (one, at) => at === 0 || byPosition(placed[at - 1] as OrderedRow, one) < 0,
      );
      if (isOrdered) continue;
      placed.sort(byPosition);
      this.rows = { ...this.rows, [kind]: new Map(placed.map(({ id, row }) => [id, row])) };
    }
  }

  /** Notes where a row stands; a stakeholder has no other place than its number. */
  #place(kind: Kind, { entityId, seq }: Change): void {
    const place = kind === 'stakeholder' ? Number(entityId) : seq;
    const before = this.rows.places[kind].get(entityId);
    if (place === undefined || (before === place && this.rows[kind].has(entityId))) return;
    if (!this.#moved.has(kind)) {
      const places = { ...this.rows.places, [kind]: new Map(this.rows.places[kind]) };
      this.rows = { ...this.rows, places };
      this.#moved.add(kind);
    }
    (this.rows.places[kind] as Map<string, number>).set(entityId, place);
  }

  /** What hangs on components goes with them, as on the server: one pass for all that went in a row. */
  release(): void {
    if (this.#gone.size === 0) return;
    for (const [key, { sourceId, targetId }] of this.rows.relationship) {
      if (this.#gone.has(sourceId) || this.#gone.has(targetId)) this.map('relationship').delete(key);
    }
    for (const [key, { componentId }] of this.rows.stakeholder) {
      if (this.#gone.has(componentId)) this.map('stakeholder').delete(key);
    }
    this.#gone.clear();
  }
}

/** Kinds of rows that belong to the organization; their revisions are another count. */
export const DIRECTORY_KINDS: ReadonlySet<string> = new Set(['person', 'team', 'team-member', 'role']);

/** Whether a change is about the access of this user to the workspace. The id of a removed member is the user's number. */
export function isOwnAccess({ entity, row, entityId }: Change, userId: number | undefined): boolean {
  if (entity !== 'member' || userId === undefined) return false;
  return row ? row.userId === userId : entityId === String(userId);
}

function rowOf<K extends Kind>(rows: Rows, kind: K, change: Change): RowOf[K] {
  if (kind !== 'stakeholder') return change.row as unknown as Component & Relationship & Process as RowOf[K];
  // The log keeps the link alone: the name beside it is that of another link with the same person or team, until the
  // directory is read.
  const link = change.row as unknown as Stakeholder;
  const others = [...rows.stakeholder.values()];
  const person = others.find((other) => other.personId && other.personId === link.personId)?.person;
  const team = others.find((other) => other.teamId && other.teamId === link.teamId)?.team;
  const full: Stakeholder = {
    ...link,
    person: link.personId ? (person ?? { id: link.personId, name: link.personId }) : null,
    team: link.teamId ? (team ?? { id: link.teamId, name: link.teamId }) : null,
  } as Stakeholder;
  return full as RowOf[K];
}

/** A person or team has another name now. */
function renamed(rows: Rows, change: Change, draft: RowsDraft): Rows {
  const row = change.row as { id: string; name: string } | null;
  if (!row || (change.entity !== 'person' && change.entity !== 'team')) return rows;
  const field = change.entity;
  for (const [id, link] of rows.stakeholder) {
    if (link[field]?.id !== row.id) continue;
    draft.map('stakeholder').set(id, { ...link, [field]: { ...link[field], ...row } } as Stakeholder);
  }
  return draft.rows;
}

/** Whether nothing but an id is known of whom a link attaches. */
export function hasNoName({ person, team }: Stakeholder): boolean {
  const holder = person ?? team;
  return holder !== null && holder.name === holder.id;
}

interface Named {
  id: string;
  name: string;
}

/** The rows with the names of whom nothing but an id was known of. */
export function withHolderNames(rows: Rows, people: readonly Named[], teams: readonly Named[]): Rows {
  const stakeholder = new Map(rows.stakeholder);
  for (const [id, link] of stakeholder) {
    if (!hasNoName(link)) continue;
    const person = link.person && { ...link.person, ...nameIn(people, link.person.id) };
    const team = link.team && { ...link.team, ...nameIn(teams, link.team.id) };
    stakeholder.set(id, { ...link, person, team });
  }
  return { ...rows, stakeholder };
}

function nameIn(all: readonly Named[], id: string): Pick<Named, 'name'> | undefined {
  const found = all.find((one) => one.id === id);
  return found && { name: found.name };
}
