/** Responsibilities in all workspaces read so far. */
import type { Role, Workspace } from '@/api/generated';
import type { Digest, DigestComponent, Holding } from '@/core/digest/digest';

/** A workspace as read so far. */
export interface ReadWorkspace {
  workspace: Workspace;
  digest: Digest;
}

export interface Answer {
  component: DigestComponent;
  roleId: string;
  /** The team through which a person is responsible. */
  via: string | undefined;
}

export interface Answers {
  workspace: Workspace;
  list: Answer[];
}

/** All components that `holds` accepts, by workspace, with the name of the team where a team is responsible. */
export function answersOf(
  read: readonly ReadWorkspace[],
  holds: (holding: Holding) => { via?: string } | undefined,
  roles: readonly Pick<Role, 'id'>[],
): Answers[] {
  const rank = new Map(roles.map(({ id }, at) => [id, at]));
  const all = read.map(({ workspace, digest }) => {
    const components = new Map(digest.components.map((component) => [component.id, component]));
    const list = digest.holdings.flatMap((holding): Answer[] => {
      const held = holds(holding);
      const component = components.get(holding.componentId);
      return held && component ? [{ component, roleId: holding.roleId, via: held.via }] : [];
    });
    const rankOf = ({ roleId }: Answer) => rank.get(roleId) ?? rank.size;
    list.sort(
      (one, other) => rankOf(one) - rankOf(other) || one.component.name.localeCompare(other.component.name),
    );
    return { workspace, list };
  });
  return all.filter(({ list }) => list.length > 0);
}

/** What a person is responsible for, directly or as a team member. */
export function heldBy(personId: string, teams: ReadonlyMap<string, string>) {
  return (holding: Holding): { via?: string } | undefined => {
    if (holding.personId === personId) return {};
    const team = holding.teamId === null ? undefined : teams.get(holding.teamId);
    return team === undefined ? undefined : { via: team };
  };
}

export interface Unanswered {
  workspace: Workspace;
  components: DigestComponent[];
}

/** Components without any owner, or without one in a given role. Components of type Person don't count. */
export function unanswered(read: readonly ReadWorkspace[], roleId: string): Unanswered[] {
  const all = read.map(({ workspace, digest }) => {
    const held = new Set(
      digest.holdings.filter((one) => !roleId || one.roleId === roleId).map((one) => one.componentId),
    );
    const components = digest.components
      .filter(({ id, typeId }) => !held.has(id) && typeId !== 'person')
      .sort((one, other) => one.name.localeCompare(other.name, undefined, { numeric: true }));
    return { workspace, components };
  });
  return all.filter(({ components }) => components.length > 0);
}
