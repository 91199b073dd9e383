/** Components without an owner, or without another role, in all accessible workspaces. */

import { PartyPopper } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { Role } from '@/api/generated';
import { NEUTRAL_COLOR, OWNER } from '@/core/model/model';
import { truncate } from '@/core/text';
import { useCatalogue, useRoles } from '@/data/queries';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { EmptyState } from '@/ui/EmptyState';
import { Swatch } from '@/ui/Swatch';
import styles from './Directory.module.css';
import { Progress } from './Responsibilities';
import { componentsWithoutRole } from './responsibilities';
import { ShowMore } from './ShowMore';
import { useAllWorkspaces } from './useDirectory';

const EVERY: Readonly<Record<string, string>> = {
  [OWNER]: 'Every component has an owner.',
  '': 'Every component has a stakeholder.',
};

/** What the listed components lack, after “without”. */
function missing(roleId: string, roles: readonly Pick<Role, 'id' | 'name'>[]): string {
  if (roleId === OWNER) return 'an owner';
  if (!roleId) return 'stakeholders';
  return `the role “${truncate(roles.find(({ id }) => id === roleId)?.name ?? roleId, 60)}”`;
}

export function UnownedComponents(_: { id: string | undefined }) {
  const slug = useOrgSlug();
  const roles = useRoles().data?.types ?? [];
  const types = useCatalogue().data?.componentTypes;
  const typeById = useMemo(() => new Map(types?.map((type) => [type.id, type])), [types]);
  const [roleId, setRoleId] = useState(OWNER);
  const everything = useAllWorkspaces();
  const { read, isDone } = everything;
  const all = useMemo(() => componentsWithoutRole(read, roleId), [read, roleId]);
  const count = all.reduce((sum, { components }) => sum + components.length, 0);
  const lacking = missing(roleId, roles);
  return (
    <div className={styles.alone}>
      <header className={styles.top}>
        <h2>Components without {lacking}</h2>
        <label className={styles.choose}>
          Missing role{' '}
          <select value={roleId} onChange={(event) => setRoleId(event.target.value)}>
            <option value="">Every role (no stakeholders)</option>
            {roles.map(({ id, name }) => (
              <option key={id} value={id}>
                {truncate(name, 60)}
              </option>
            ))}
          </select>
        </label>
      </header>
      <p className={styles.soft} role="status">
        {count.toLocaleString('en')} {count === 1 ? 'component' : 'components'} in{' '}
        {read.length.toLocaleString('en')} {read.length === 1 ? 'workspace' : 'workspaces'} that you can
        access. Components of type Person are not counted.
      </p>
      <Progress {...everything} />
      {isDone && count === 0 && (
        <EmptyState title={`No components without ${lacking}`} icon={<PartyPopper size={36} aria-hidden />}>
          <p>{EVERY[roleId] ?? 'Every component has a stakeholder with this role.'}</p>
        </EmptyState>
      )}
      {all.map(({ workspace, components }) => (
        <section key={workspace.id} className={styles.workspace}>
          <h3>
            <Link href={workspacePath(slug, workspace.id)}>{workspace.name}</Link>{' '}
            <span className={styles.number}>{components.length.toLocaleString('en')}</span>
          </h3>
          <ShowMore
            items={components}
            render={({ id, name, typeId }) => (
              <li key={id} className={styles.responsibility}>
                <Swatch color={typeById.get(typeId)?.color ?? NEUTRAL_COLOR} />
                <span className={styles.names}>
                  <Link
                    className={styles.name}
                    href={`${workspacePath(slug, workspace.id)}?c=${encodeURIComponent(id)}`}
                  >
                    {name}
                  </Link>
                  <span className={styles.hint}>{typeById.get(typeId)?.name ?? typeId}</span>
                </span>
              </li>
            )}
          />
        </section>
      ))}
    </div>
  );
}
