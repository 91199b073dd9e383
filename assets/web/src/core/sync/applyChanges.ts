/** Applies changes from the server to the rows. */
import type { Change, Stakeholder, Workspace } from '@/api/generated';
import { KINDS, type Kind, mapOf, type RowOf, type Rows, withoutViewRows } from './rows';
import { withViewRowId } from './viewRows';

/** The rows after a change. Changes already included in the rows are ignored. */
export function applyChange(rows: Rows, change: Change): Rows {
  return applyChanges(rows, [change]);
}

/** The rows after several changes, in order. Each kind of rows is copied at most once. */
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

/** Sorts rows with an unknown position last. */
const LAST_POSITION = Number.MAX_SAFE_INTEGER;

function byPosition(a: OrderedRow, b: OrderedRow): number {
  return a.place - b.place || (a.id < b.id ? -1 : 1);
}

/** Rows that are being changed. Maps that were already copied are modified in place. */
class RowsDraft {
  rows: Rows;
  readonly #own = new Set<Kind>();
  /** Kinds that have added or moved rows. */
  readonly #moved = new Set<Kind>();
  /** Deleted components whose dependent rows have not been deleted yet. */
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
    const kind = KINDS.find((kind) => kind === change.entity);
    if (change.entity === 'workspace' && change.row) {
      const { workspace: before } = this.rows;
      const workspace = { ...before, ...(change.row as Partial<Workspace>), ...readerFields(before) };
      this.rows = { ...this.rows, workspace };
    } else if (kind && change.row) {
      // The rows may depend on a component that was restored with the same ID.
      this.release();
      this.#place(kind, change);
      this.map<Kind>(kind).set(change.entityId, rowOf(this.rows, kind, change));
    } else if (kind) {
      this.map(kind).delete(change.entityId);
      if (kind === 'component') this.#gone.add(change.entityId);
      if (kind === 'view') this.rows = withoutViewRows(this.rows, change.entityId);
    }
    // Every write also updates the workspace.
    const { revision, ts, actor } = change;
    const { updatedBy: _, ...before } = this.rows.workspace;
    const workspace = { ...before, revision, updatedAt: ts, ...(actor ? { updatedBy: actor.id } : {}) };
    this.rows = { ...this.rows, revision: change.revision, workspace };
  }

  /** Sorts the rows, so that restored rows return to their previous position. */
  order(): void {
    for (const kind of this.#moved) {
      const places = this.rows.places[kind];
      const placed = [...this.map<Kind>(kind)].map(([id, row]) => ({
        id,
        row,
        place: places.get(id) ?? LAST_POSITION,
      }));
      const isOrdered = placed.every(
        (row, at) => at === 0 || byPosition(placed[at - 1] as OrderedRow, row) < 0,
      );
      if (isOrdered) continue;
      placed.sort(byPosition);
      this.rows = { ...this.rows, [kind]: new Map(placed.map(({ id, row }) => [id, row])) };
    }
  }

  /** Records the position of a row. For a stakeholder, the position is its ID. */
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

  /** Deletes the rows that depend on deleted components, in one pass for all of them. The server does the same. */
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

/** Kinds of rows that belong to the organization. Their revisions are counted separately. */
export const DIRECTORY_KINDS: ReadonlySet<string> = new Set([
  'person',
  'team',
  'team-member',
  'role',
  'kind',
]);

/** The fields of a workspace that depend on the current user. They are not part of the change log. */
export type ReaderFields = Pick<Workspace, 'myRole' | 'accessRequests' | 'accessRequestedAt'>;

function readerFields({ myRole, accessRequests, accessRequestedAt }: Workspace): ReaderFields {
  return { myRole, accessRequests, accessRequestedAt };
}

/**
 * Whether a change can affect the current user's access to the workspace. The ID of a removed member is the user's ID.
 */
export function isOwnAccess(
  { entity, row, entityId }: Change,
  userId: number | undefined,
  { visibility, organizationAccess }: Workspace,
): boolean {
  if (entity === 'workspace' && row)
    return row.visibility !== visibility || row.organizationAccess !== organizationAccess;
  if (entity !== 'member' || userId === undefined) return false;
  return row ? row.userId === userId : entityId === String(userId);
}

function rowOf<K extends Kind>(rows: Rows, kind: K, change: Change): RowOf[K] {
  if (kind === 'view-place' || kind === 'view-line')
    return withViewRowId(change.row as unknown as { viewId: string }) as RowOf[K];
  if (kind !== 'stakeholder') return change.row as unknown as RowOf[Kind] as RowOf[K];
  // The change log contains only IDs of people and teams. Until the directory is loaded, the name is taken from another
  // stakeholder row of the same person or team.
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

/** Applies a new name of a person or team. */
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

/** Whether the name of the person or team of a stakeholder is unknown. */
export function hasNoName({ person, team }: Stakeholder): boolean {
  const holder = person ?? team;
  return holder !== null && holder.name === holder.id;
}

interface Named {
  id: string;
  name: string;
}

/** The rows, with missing names of people and teams filled in. */
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
  const found = all.find((row) => row.id === id);
  return found && { name: found.name };
}
