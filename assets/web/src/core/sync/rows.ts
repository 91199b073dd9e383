/** The rows of a workspace, by kind and ID. All data is immutable: a change creates new maps of the affected kinds. */
import type {
  Bundle,
  Component,
  DecisionSummary,
  Note,
  Process,
  Relationship,
  Stakeholder,
  Workspace,
} from '@/api/generated';
import {
  type Tour,
  type View,
  type ViewBundle,
  type ViewLine,
  type ViewPlace,
  withViewRowId,
} from './viewRows';

/** A decision. Rows of a bundle have no text; rows that were written since have one. */
export type DecisionRow = DecisionSummary & { body?: string };

/** The rows of a workspace in order of creation. The IDs of stakeholders are numbers as text. */
export interface Rows {
  workspace: Workspace;
  component: ReadonlyMap<string, Component>;
  relationship: ReadonlyMap<string, Relationship>;
  stakeholder: ReadonlyMap<string, Stakeholder>;
  process: ReadonlyMap<string, Process>;
  note: ReadonlyMap<string, Note>;
  view: ReadonlyMap<string, View>;
  /** Positions of components in views with an own layout. */
  'view-place': ReadonlyMap<string, ViewPlace>;
  /** Layouts of lines in views with an own layout. */
  'view-line': ReadonlyMap<string, ViewLine>;
  tour: ReadonlyMap<string, Tour>;
  decision: ReadonlyMap<string, DecisionRow>;
  /** The position of each row within its kind, by ID, if known. Views, tours and decisions contain theirs. */
  places: { readonly [kind in Kind]: ReadonlyMap<string, number> };
  /** The workspace revision of the rows. */
  revision: number;
  /** Incarnation of the database, which changes when a backup is restored. Empty if the server did not send one. */
  incarnation?: string | undefined;
}

/** The kinds of rows in a workspace. */
export type Kind =
  | 'component'
  | 'relationship'
  | 'stakeholder'
  | 'process'
  | 'note'
  | 'view'
  | 'view-place'
  | 'view-line'
  | 'tour'
  | 'decision';

export interface RowOf {
  component: Component;
  relationship: Relationship;
  stakeholder: Stakeholder;
  process: Process;
  note: Note;
  view: View;
  'view-place': ViewPlace;
  'view-line': ViewLine;
  tour: Tour;
  decision: DecisionRow;
}

export const KINDS: readonly Kind[] = [
  'component',
  'relationship',
  'stakeholder',
  'process',
  'note',
  'view',
  'view-place',
  'view-line',
  'tour',
  'decision',
];

/** Converts a bundle to rows. Without `?include=notes,views,decisions`, it contains none of these. */
export function toRows(bundle: Bundle): Rows {
  const notes = bundle.notes ?? [];
  const { views = [], viewPlaces = [], viewLines = [], tours = [] } = bundle as ViewBundle;
  return {
    workspace: bundle.workspace,
    component: byId(bundle.components),
    relationship: byId(bundle.relationships),
    stakeholder: byId(bundle.stakeholders),
    process: byId(bundle.processes),
    note: byId(notes),
    view: byId(views),
    'view-place': byId(viewPlaces.map(withViewRowId)),
    'view-line': byId(viewLines.map(withViewRowId)),
    tour: byId(tours),
    decision: byId(bundle.decisions ?? []),
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
      view: new Map(),
      'view-place': new Map(),
      'view-line': new Map(),
      tour: new Map(),
      decision: new Map(),
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

/** Removes the positions and lines of a deleted view, as the server does. */
export function withoutViewRows(rows: Rows, viewId: string, own?: OwnedMaps): Rows {
  return {
    ...rows,
    'view-place': keep(rows['view-place'], (row) => row.viewId !== viewId, own),
    'view-line': keep(rows['view-line'], (row) => row.viewId !== viewId, own),
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
