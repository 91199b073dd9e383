/** Takes over what the server says has happened. */
import type { Change, Component, Process, Relationship, Stakeholder, Workspace } from '@/api/generated';
import { KINDS, type Kind, type RowOf, type Rows, withoutRow, withRow } from './rows';

/** The rows after several changes, in their order. */
export function changedAll(rows: Rows, changes: readonly Change[]): Rows {
  return changes.reduce(changed, rows);
}

/** The rows after a change. One that is in them already changes nothing. */
export function changed(rows: Rows, change: Change): Rows {
  if (DIRECTORY.has(change.entity)) return renamed(rows, change);
  if (change.revision < rows.revision) return rows;
  const next = { ...inWorkspace(rows, change), revision: change.revision };
  return { ...next, workspace: { ...next.workspace, revision: change.revision } };
}

/** Kinds of rows that belong to the organization; their revisions are another count. */
export const DIRECTORY: ReadonlySet<string> = new Set(['person', 'team', 'team-member', 'role']);

function inWorkspace(rows: Rows, change: Change): Rows {
  if (change.entity === 'workspace' && change.row) {
    // Who may do what is told to each caller alone: it is not in the log.
    const { myRole } = rows.workspace;
    return { ...rows, workspace: { ...rows.workspace, ...(change.row as Partial<Workspace>), myRole } };
  }
  const kind = KINDS.find((one) => one === change.entity);
  if (!kind) return rows;
  return change.row
    ? withRow(rows, kind, rowOf(rows, kind, change))
    : withoutRow(rows, kind, change.entityId);
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
function renamed(rows: Rows, change: Change): Rows {
  const row = change.row as { id: string; name: string } | null;
  if (!row || (change.entity !== 'person' && change.entity !== 'team')) return rows;
  const field = change.entity;
  const stakeholder = new Map(rows.stakeholder);
  for (const [id, link] of stakeholder) {
    if (link[field]?.id === row.id) stakeholder.set(id, { ...link, [field]: { ...link[field], ...row } });
  }
  return { ...rows, stakeholder };
}
