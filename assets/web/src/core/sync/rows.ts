/** What a workspace holds, by kind and id. Everything here is immutable: a change makes new maps of what it touches. */
import type { Bundle, Component, Process, Relationship, Stakeholder, Workspace } from '@/api/generated';

/** The rows of a workspace in the order in which they were made. Ids of stakeholders are their numbers as text. */
export interface Rows {
  workspace: Workspace;
  component: ReadonlyMap<string, Component>;
  relationship: ReadonlyMap<string, Relationship>;
  stakeholder: ReadonlyMap<string, Stakeholder>;
  process: ReadonlyMap<string, Process>;
  /** Where the rows of a kind stand among each other, by id, as far as the server has told. */
  places: { readonly [kind in Kind]: ReadonlyMap<string, number> };
  /** The workspace's revision up to which changes are in here. */
  revision: number;
  /** Incarnation of the database: restoring a backup starts a new one. Empty when the server did not say. */
  incarnation?: string | undefined;
}

/** The kinds of rows that are kept here. */
export type Kind = 'component' | 'relationship' | 'stakeholder' | 'process';

/** The row of each kind. */
export interface RowOf {
  component: Component;
  relationship: Relationship;
  stakeholder: Stakeholder;
  process: Process;
}

export const KINDS: readonly Kind[] = ['component', 'relationship', 'stakeholder', 'process'];

/** The rows of a bundle, as it was read. */
export function toRows(bundle: Bundle): Rows {
  return {
    workspace: bundle.workspace,
    component: byId(bundle.components),
    relationship: byId(bundle.relationships),
    stakeholder: byId(bundle.stakeholders),
    process: byId(bundle.processes),
    places: {
      component: placesOf(bundle.components, bundle.places.components),
      relationship: placesOf(bundle.relationships, bundle.places.relationships),
      // They have no other place than their number.
      stakeholder: placesOf(
        bundle.stakeholders,
        bundle.stakeholders.map(({ id }) => id),
      ),
      process: placesOf(bundle.processes, bundle.places.processes),
    },
    revision: bundle.workspace.revision,
    incarnation: (bundle as { incarnation?: string }).incarnation,
  };
}

/** Maps that were made in the course of one piece of work and that nobody else has seen: they are written in place. */
export type OwnedMaps = WeakSet<object>;

/** The same rows with one more, or with another in its place. */
export function withRow<K extends Kind>(rows: Rows, kind: K, row: RowOf[K], own?: OwnedMaps): Rows {
  const [next, map] = writable(rows, kind, own);
  map.set(String(row.id), row);
  return next;
}

/** The rows with a map of one kind that may be written, and that map. */
export function writable<K extends Kind>(
  rows: Rows,
  kind: K,
  own?: OwnedMaps,
): [rows: Rows, map: Map<string, RowOf[K]>] {
  const held = mapOf(rows, kind);
  if (own?.has(held)) return [rows, held as Map<string, RowOf[K]>];
  const map = new Map(held);
  own?.add(map);
  return [{ ...rows, [kind]: map }, map];
}

/** The same rows without one. What hangs on a component stays: see {@link withoutDependents}. */
export function withoutRow(rows: Rows, kind: Kind, id: string, own?: OwnedMaps): Rows {
  const [left, map] = writable<Kind>(rows, kind, own);
  map.delete(id);
  return left;
}

/** The same rows without what hangs on components that are gone, as on the server: one pass for all of them. */
export function withoutDependents(rows: Rows, gone: ReadonlySet<string>, own?: OwnedMaps): Rows {
  if (gone.size === 0) return rows;
  return {
    ...rows,
    relationship: keep(
      rows.relationship,
      ({ sourceId, targetId }) => !gone.has(sourceId) && !gone.has(targetId),
      own,
    ),
    stakeholder: keep(rows.stakeholder, ({ componentId }) => !gone.has(componentId), own),
  };
}

/** The rows of one kind. */
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
