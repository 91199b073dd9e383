/** The rows of a workspace, by kind and ID. All data is immutable: a change creates new maps of the affected kinds. */
import type { Bundle, Component, Note, Process, Relationship, Stakeholder, Workspace } from '@/api/generated';

/** The rows of a workspace in order of creation. The IDs of stakeholders are numbers as text. */
export interface Rows {
  workspace: Workspace;
  component: ReadonlyMap<string, Component>;
  relationship: ReadonlyMap<string, Relationship>;
  stakeholder: ReadonlyMap<string, Stakeholder>;
  process: ReadonlyMap<string, Process>;
  note: ReadonlyMap<string, Note>;
  /** The position of each row within its kind, by ID, if known. */
  places: { readonly [kind in Kind]: ReadonlyMap<string, number> };
  /** The workspace revision of the rows. */
  revision: number;
  /** Incarnation of the database, which changes when a backup is restored. Empty if the server did not send one. */
  incarnation?: string | undefined;
}

/** The kinds of rows in a workspace. */
export type Kind = 'component' | 'relationship' | 'stakeholder' | 'process' | 'note';

export interface RowOf {
  component: Component;
  relationship: Relationship;
  stakeholder: Stakeholder;
  process: Process;
  note: Note;
}

export const KINDS: readonly Kind[] = ['component', 'relationship', 'stakeholder', 'process', 'note'];

/** Converts a bundle to rows. Without `?include=notes`, it contains no notes. */
export function toRows(bundle: Bundle): Rows {
  const notes = bundle.notes ?? [];
  return {
    workspace: bundle.workspace,
    component: byId(bundle.components),
    relationship: byId(bundle.relationships),
    stakeholder: byId(bundle.stakeholders),
    process: byId(bundle.processes),
    note: byId(notes),
    places: {
      component: placesOf(bundle.components, bundle.places.components),
      relationship: placesOf(bundle.relationships, bundle.places.relationships),
      // Stakeholders are ordered by ID.
      stakeholder: placesOf(
        bundle.stakeholders,
        bundle.stakeholders.map(({ id }) => id),
      ),
      process: placesOf(bundle.processes, bundle.places.processes),
      note: placesOf(notes, bundle.places.notes ?? []),
    },
    revision: bundle.workspace.revision,
    incarnation: (bundle as { incarnation?: string }).incarnation,
  };
}

/** Maps created during the current computation, which are not shared and can be modified in place. */
export type OwnedMaps = WeakSet<object>;

/** Adds or replaces a row. */
export function withRow<K extends Kind>(rows: Rows, kind: K, row: RowOf[K], own?: OwnedMaps): Rows {
  const [next, map] = writable(rows, kind, own);
  map.set(String(row.id), row);
  return next;
}

/** The rows with a writable map of one kind, and that map. */
export function writable<K extends Kind>(
  rows: Rows,
  kind: K,
  own?: OwnedMaps,
): [rows: Rows, map: Map<string, RowOf[K]>] {
  const current = mapOf(rows, kind);
  if (own?.has(current)) return [rows, current as Map<string, RowOf[K]>];
  const map = new Map(current);
  own?.add(map);
  return [{ ...rows, [kind]: map }, map];
}

/** Removes a row. Dependents of a component are kept; see {@link withoutDependents}. */
export function withoutRow(rows: Rows, kind: Kind, id: string, own?: OwnedMaps): Rows {
  const [left, map] = writable<Kind>(rows, kind, own);
  map.delete(id);
  return left;
}

/** Removes the dependents of deleted components in one pass, as the server does. */
export function withoutDependents(rows: Rows, deleted: ReadonlySet<string>, own?: OwnedMaps): Rows {
  if (deleted.size === 0) return rows;
  return {
    ...rows,
    relationship: keep(
      rows.relationship,
      ({ sourceId, targetId }) => !deleted.has(sourceId) && !deleted.has(targetId),
      own,
    ),
    stakeholder: keep(rows.stakeholder, ({ componentId }) => !deleted.has(componentId), own),
  };
}

export function mapOf<K extends Kind>(rows: Rows, kind: K): ReadonlyMap<string, RowOf[K]> {
  return rows[kind] as unknown as ReadonlyMap<string, RowOf[K]>;
}

function byId<T extends { id: string | number }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [String(row.id), row]));
}

function placesOf(
  rows: readonly { id: string | number }[],
  seqs: readonly number[],
): ReadonlyMap<string, number> {
  return new Map(seqs.map((seq, at) => [String(rows[at]?.id), seq]));
}

function keep<T>(
  map: ReadonlyMap<string, T>,
  wanted: (row: T) => boolean,
  own?: OwnedMaps,
): ReadonlyMap<string, T> {
  const stored = [...map].filter(([, row]) => wanted(row));
  if (stored.length === map.size) return map;
  const left = new Map(stored);
  own?.add(left);
  return left;
}
