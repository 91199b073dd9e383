/** The responsibilities of a person or team, by workspace. */

import { useMemo } from 'react';
import { Link } from 'wouter';
import type { DigestStakeholder } from '@/core/digest/digest';
import { truncate } from '@/core/text';
import { useCatalogue, useRoles } from '@/data/queries';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button } from '@/ui/Button';
import { RoleIcon } from '@/ui/RoleIcon';
import styles from './Directory.module.css';
import { responsibilitiesOf } from './responsibilities';
import { ShowMore } from './ShowMore';
import { useAllWorkspaces } from './useDirectory';

interface Props {
  name: string;
  holds: (holding: DigestStakeholder) => { via?: string } | undefined;
}

export function Responsibilities({ name, holds }: Props) {
  const slug = useOrgSlug();
  const roles = useRoles().data?.types;
  const types = useCatalogue().data?.componentTypes;
  const everything = useAllWorkspaces();
  const { read, isDone } = everything;
  const all = useMemo(() => responsibilitiesOf(read, holds, roles ?? []), [read, holds, roles]);
  const roleById = useMemo(() => new Map(roles?.map((role) => [role.id, role])), [roles]);
  const typeById = useMemo(() => new Map(types?.map((type) => [type.id, type])), [types]);
  const count = all.reduce((sum, { list }) => sum + list.length, 0);
  return (
    <section className={styles.section} aria-label={`What ${truncate(name, 80)} is responsible for`}>
      <h3 className={styles.heading}>
        Responsible for <span className={styles.number}>{count.toLocaleString('en')}</span>
      </h3>
      <Progress {...everything} />
      {isDone && count === 0 && (
        <p className={styles.soft}>
          Nothing in the workspaces you can access. Assign roles in the inspector of a component.
        </p>
      )}
      {all.map(({ workspace, list }) => (
        <div key={workspace.id} className={styles.workspace}>
          <h4>
            <Link href={workspacePath(slug, workspace.id)}>{workspace.name}</Link>
          </h4>
          <ShowMore
            items={list}
            render={({ component, roleId, via }) => {
              const role = roleById.get(roleId);
              const type = typeById.get(component.typeId);
              const href = `${workspacePath(slug, workspace.id)}?c=${encodeURIComponent(component.id)}`;
              return (
                <li key={`${component.id} ${roleId} ${via}`} className={styles.responsibility}>
                  <RoleIcon role={role ?? { color: 'var(--line)' }} />
                  <span className={styles.names}>
                    <Link href={href} className={styles.name}>
                      {component.name}
                    </Link>
                    <span className={styles.hint}>
                      {role?.name ?? roleId} · {type?.name ?? component.typeId}
                      {via && ` · via ${via}`}
                    </span>
                  </span>
                </li>
              );
            }}
          />
        </div>
      ))}
    </section>
  );
}

type Everything = ReturnType<typeof useAllWorkspaces>;

/** Loading progress, and workspaces that failed to load. */
export function Progress({ isDone, read, failed, total, error, again }: Everything) {
  return (
    <>
      {!isDone && (
        <p className={styles.progress} role="status">
          <progress max={Math.max(1, total)} value={read.length} aria-label="Workspaces loaded" />
          {read.length.toLocaleString('en')} of {total.toLocaleString('en')} workspaces loaded
        </p>
      )}
      {(failed.length > 0 || error) && (
        <p className={styles.progress} role="alert">
          {error
            ? 'Could not load the list of workspaces.'
            : `Could not load: ${failed.map(({ name }) => truncate(name, 60)).join(', ')}.`}
          <Button onClick={again}>Try again</Button>
        </p>
      )}
    </>
  );
}
