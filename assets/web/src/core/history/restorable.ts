/** What of a past state can be written again. */
import type { Bundle, Document } from '@/api/generated';

interface Directory {
  people: readonly { id: string }[];
  teams: readonly { id: string }[];
  roles: readonly { id: string }[];
}

/**
 * The bundle as a file, without the stakeholders whose person, team or role the organization has no more: they are counted.
 * Who sees the workspace is no part of it.
 */
export function withoutGone(
  { workspace, components, relationships, stakeholders, processes }: Bundle,
  directory: Directory,
): { document: Document; skipped: number } {
  const ids = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id));
  const [people, teams, roles] = [ids(directory.people), ids(directory.teams), ids(directory.roles)];
  const staying = stakeholders.filter(
    ({ personId, teamId, linkType }) =>
      roles.has(linkType) && (personId ? people.has(personId) : teams.has(teamId ?? '')),
  );
  const { name, description, properties } = workspace;
  // Types of the catalogue are text where they are read, and a list where they are written.
  const document = {
    workspace: { name, description, properties },
    components,
    relationships,
    stakeholders: staying,
    processes,
  } as Document;
  return { document, skipped: stakeholders.length - staying.length };
}
