/** People and teams of a component and their roles. */
import { Users, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Component, Stakeholder } from '@/api/generated';
import { addStakeholder, changeStakeholderRole } from '@/core/model/edits';
import { type Holder, holderOf, isUnowned, type Model, NEUTRAL_COLOR, OWNER } from '@/core/model/model';
import { usePersonAvatar } from '@/data/photos';
import { useRoles } from '@/data/queries';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { Avatar } from '@/ui/Avatar';
import { IconButton } from '@/ui/Button';
import { Swatch } from '@/ui/Swatch';
import { showToast } from '@/ui/Toasts';
import { edit } from '@/workspace/store';
import styles from './Inspector.module.css';
import { HolderPicker } from './Pickers';
import { Hint, Section } from './Section';

interface Props {
  model: Model;
  component: Component;
  readOnly: boolean;
}

export function Stakeholders({ model, component, readOnly }: Props) {
  const { id, name } = component;
  const links = model.stakeholders.get(id) ?? [];
  const addHolder = (holder: Holder, role: string) => {
    const operations = addStakeholder(model, [id], holder, role);
    if (operations.length > 0) edit(`Add ${holder.name} to ${name}`, operations);
  };
  const changeRole = (link: Stakeholder, role: string, roleName: string) => {
    const who = holderOf(link).name;
    const operations = changeStakeholderRole(model, link, role);
    if (operations.length > 0) edit(`Make ${who} ${roleName} of ${name}`, operations);
    else showToast(`${who} already has the role ${roleName}.`);
  };
  const remove = (link: Stakeholder) =>
    edit(`Remove ${holderOf(link).name} from ${name}`, [
      {
        op: 'delete',
        kind: 'stakeholder',
        id: String(link.id),
        base: link.revision,
        fields: { componentId: id },
      },
    ]);
  return (
    <Section
      title="People and teams"
      count={links.length}
      addLabel={readOnly ? undefined : 'Add person or team'}
      add={(close) => <AddHolder onAdd={addHolder} onClose={close} />}
    >
      {isUnowned(model, component) && <Hint>No owner yet.</Hint>}
      <ul className={styles.list}>
        {links.map((link) => (
          <Row
            key={link.id}
            link={link}
            onRoleChange={readOnly ? undefined : (role, name) => changeRole(link, role, name)}
            onRemove={readOnly ? undefined : () => remove(link)}
          />
        ))}
      </ul>
    </Section>
  );
}

interface RowProps {
  link: Stakeholder;
  /** Changes the role. Receives the ID and name of the role. */
  onRoleChange: ((role: string, name: string) => void) | undefined;
  onRemove: (() => void) | undefined;
}

function Row({ link, onRoleChange, onRemove }: RowProps) {
  const slug = useOrgSlug();
  const roles = useRoles().data?.types ?? [];
  const role = roles.find(({ id }) => id === link.linkType);
  const { kind, id, name } = holderOf(link);
  const avatarOf = usePersonAvatar();
  return (
    <li className={styles.row}>
      {kind === 'team' ? (
        <Users size={16} aria-label="Team" className={styles.rowIcon} />
      ) : (
        <span role="img" aria-label="Person" className={styles.avatar}>
          <Avatar {...avatarOf(link.person ?? { id, name })} size="small" />
        </span>
      )}
      <Link href={orgPath(slug, kind === 'team' ? 'teams' : 'people', id)} className={styles.rowMain}>
        {name}
      </Link>
      <span className={styles.tag}>
        <Swatch color={role?.color ?? NEUTRAL_COLOR} />
        {onRoleChange ? (
          <select
            aria-label={`Role of ${name}`}
            className={styles.roleSelect}
            value={link.linkType}
            // The server has not assigned an ID to this stakeholder yet.
            disabled={link.revision === 0}
            onChange={({ target }) =>
              onRoleChange(target.value, target.selectedOptions[0]?.text ?? target.value)
            }
          >
            {!role && <option value={link.linkType}>{link.linkType}</option>}
            {roles.map((role) => (
              <option key={role.id} value={role.id}>
                {role.name}
              </option>
            ))}
          </select>
        ) : (
          (role?.name ?? link.linkType)
        )}
      </span>
      {onRemove && (
        <IconButton
          label={`Remove ${name} as ${role?.name ?? link.linkType}`}
          icon={<X size={16} aria-hidden />}
          className={styles.small}
          disabled={link.revision === 0}
          onClick={onRemove}
        />
      )}
    </li>
  );
}

function AddHolder({
  onAdd,
  onClose,
}: {
  onAdd: (holder: Holder, role: string) => void;
  onClose: () => void;
}) {
  const roles = useRoles().data?.types ?? [];
  const [chosen, setRole] = useState('');
  const role = chosen || (roles.find(({ id }) => id === OWNER) ?? roles[0])?.id || '';
  return (
    <>
      <select
        aria-label="Role"
        className={styles.select}
        value={role}
        onChange={(event) => setRole(event.target.value)}
      >
        {roles.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <HolderPicker
        label="Person or team"
        autoFocus
        onLeave={onClose}
        onChoose={(holder) => {
          onAdd(holder, role);
          onClose();
        }}
      />
    </>
  );
}
