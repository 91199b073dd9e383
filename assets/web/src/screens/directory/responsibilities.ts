/** Responsibilities in all workspaces loaded so far. */
import type { Role, Workspace } from '@/api/generated';
import type { Digest, DigestComponent, DigestStakeholder } from '@/core/digest/digest';
import { needsOwner } from '@/core/model/model';

/** A workspace loaded so far. */
export interface LoadedWorkspace {
  workspace: Workspace;
  digest: Digest;
}

export interface Responsibility {
  component: DigestComponent;
  roleId: string;
  /** The team through which a person is responsible. */
  via: string | undefined;
}

export interface WorkspaceResponsibilities {
  workspace: Workspace;
  list: Responsibility[];
}

/** All components that `holds` accepts, by workspace, including the name of the responsible team. */
export function responsibilitiesOf(
  read: readonly LoadedWorkspace[],
  holds: (holding: DigestStakeholder) => { via?: string } | undefined,
  roles: readonly Pick<Role, 'id'>[],
): WorkspaceResponsibilities[] {
  const rank = new Map(roles.map(({ id }, at) => [id, at]));
  const all = read.map(({ workspace, digest }) => {
    const components = new Map(digest.components.map((component) => [component.id, component]));
    const list = digest.stakeholders.flatMap((holding): Responsibility[] => {
      const match = holds(holding);
      const component = components.get(holding.componentId);
      return match && component ? [{ component, roleId: holding.roleId, via: match.via }] : [];
    });
    const rankOf = ({ roleId }: Responsibility) => rank.get(roleId) ?? rank.size;
    list.sort((a, b) => rankOf(a) - rankOf(b) || a.component.name.localeCompare(b.component.name));
    return { workspace, list };
  });
  return all.filter(({ list }) => list.length > 0);
}

/** The responsibilities of a person, directly or as a team member. */
export function heldBy(personId: string, teams: ReadonlyMap<string, string>) {
  return (holding: DigestStakeholder): { via?: string } | undefined => {
    if (holding.personId === personId) return {};
    const team = holding.teamId === null ? undefined : teams.get(holding.teamId);
    return team === undefined ? undefined : { via: team };
  };
}

export interface WorkspaceComponents {
  workspace: Workspace;
  components: DigestComponent[];
}

/**
 * Components without a stakeholder in a given role, or without any stakeholder. As everywhere, a component has an owner if
 * a stakeholder has the owner role. Components that need no owner are excluded.
 */
export function componentsWithoutRole(
  read: readonly LoadedWorkspace[],
  roleId: string,
): WorkspaceComponents[] {
  const all = read.map(({ workspace, digest }) => {
    const heldIds = new Set(
      digest.stakeholders
        .filter((stakeholder) => !roleId || stakeholder.roleId === roleId)
        .map((stakeholder) => stakeholder.componentId),
    );
    const components = digest.components
      .filter(({ id, typeId }) => !heldIds.has(id) && needsOwner({ typeId }))
      .sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
    return { workspace, components };
  });
  return all.filter(({ components }) => components.length > 0);
}
