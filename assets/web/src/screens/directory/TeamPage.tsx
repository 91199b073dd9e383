/** A team: description, members and responsibilities. */

import { UserPlus, Users, X } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import {
  addTeamMember,
  deleteTeam,
  removeTeamMember,
  type Team,
  type TeamMember,
  type TeamRole,
  updateTeam,
  updateTeamMember,
} from '@/api/generated';
import type { DigestStakeholder } from '@/core/digest/digest';
import { truncate } from '@/core/text';
import { usePersonAvatar } from '@/data/photos';
import { invalidateDirectory, usePeople } from '@/data/queries';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { WatchButton } from '@/screens/inbox/WatchButton';
import { Alert } from '@/ui/Alert';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { Combobox } from '@/ui/Combobox';
import { TextArea, TextField } from '@/ui/Field';
import { showError, showToast } from '@/ui/Toasts';
import { useSubmit } from '@/ui/useSubmit';
import { DeleteDialog } from './DeleteDialog';
import styles from './Directory.module.css';
import { EntryActions } from './EntryActions';
import { Responsibilities } from './Responsibilities';
import { useIsAdmin, useMemberships } from './useDirectory';
import { useEditConflict } from './useEditConflict';

const WHY_NOT = 'Only organization administrators can delete teams.';

export function TeamPage({ team }: { team: Team }) {
  const slug = useOrgSlug();
  const [, navigate] = useLocation();
  const isAdmin = useIsAdmin();
  const all = useMemberships();
  const members = useMemo(() => all.filter(({ teamId }) => teamId === team.id), [all, team.id]);
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const holds = useCallback(
    ({ teamId }: DigestStakeholder) => (teamId === team.id ? {} : undefined),
    [team.id],
  );
  return (
    <article className={styles.entry}>
      <header className={styles.top}>
        <Users size={32} aria-hidden />
        <h2 className={styles.title}>{team.name}</h2>
        <EntryActions
          isEditing={editing}
          whyNot={isAdmin ? undefined : WHY_NOT}
          onEdit={() => setEditing(true)}
          onDelete={() => setDeleting(true)}
        />
      </header>
      {!isAdmin && <p className={styles.soft}>{WHY_NOT}</p>}
      {editing ? (
        <TeamForm team={team} onDone={() => setEditing(false)} />
      ) : (
        <p className={team.description ? styles.bio : styles.soft}>
          {team.description || 'No description yet.'}
        </p>
      )}
      <div>
        <WatchButton target={{ type: 'team', id: team.id }} />
      </div>
      <Members team={team} members={members} />
      <Responsibilities name={team.name} holds={holds} />
      {deleting && (
        <DeleteDialog
          name={team.name}
          what="team"
          consequences={members.length > 0 ? 'Its members remain in the organization.' : ''}
          remove={(force) => deleteTeam(team.id, force ? { force } : undefined)}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate(orgPath(slug, 'teams'))}
        />
      )}
    </article>
  );
}

function TeamForm({ team, onDone }: { team: Team; onDone: () => void }) {
  const [began] = useState(team);
  const [name, setName] = useState(team.name);
  const [description, setDescription] = useState(team.description ?? '');
  const guard = useEditConflict(team.revision);
  const { busy, problem, submit } = useSubmit(['name', 'description'], async () => {
    const patch = {
      ...(name !== began.name ? { name } : {}),
      ...(description !== (began.description ?? '') ? { description } : {}),
    };
    if (Object.keys(patch).length > 0) {
      await guard((headers) => updateTeam(team.id, patch, { headers }));
      invalidateDirectory();
    }
    onDone();
  });
  return (
    <form
      className={styles.form}
      noValidate
      aria-label={`Edit ${truncate(team.name, 80)}`}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <TextField
        label="Name"
        autoFocus
        value={name}
        problem={problem('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <TextArea
        label="Description"
        value={description}
        problem={problem('description')}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Alert text={problem()} />
      <div className={styles.actions}>
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="main" type="submit" busy={busy}>
          Save
        </Button>
      </div>
    </form>
  );
}

function Members({ team, members }: { team: Team; members: readonly TeamMember[] }) {
  const slug = useOrgSlug();
  const people = usePeople().data?.people;
  const avatarOf = usePersonAvatar();
  const [chosen, setChosen] = useState('');
  const others = useMemo(() => {
    const memberIds = new Set(members.map(({ personId }) => personId));
    return (people ?? [])
      .filter(({ id }) => !memberIds.has(id))
      .map(({ id, name, title, email }) => ({ id, name, hint: title ?? email }));
  }, [people, members]);
  const run = async (write: Promise<unknown>) => {
    try {
      await write;
      invalidateDirectory();
    } catch (error) {
      showError(error);
    }
  };
  const add = async () => {
    if (!chosen) return;
    await run(addTeamMember(team.id, { personId: chosen }));
    setChosen('');
  };
  const remove = async ({ personId, role, person }: TeamMember) => {
    await run(removeTeamMember(team.id, personId));
    showToast(`Removed ${truncate(person.name, 80)} from the team`, {
      label: 'Undo',
      run: () => void run(addTeamMember(team.id, { personId, role })),
    });
  };
  return (
    <section className={styles.section} aria-label="Members">
      <h3 className={styles.heading}>
        Members <span className={styles.number}>{members.length}</span>
      </h3>
      {members.length === 0 && <p className={styles.soft}>No members yet.</p>}
      <ul className={styles.members}>
        {members.map((member) => (
          <li key={member.personId} className={styles.member}>
            <Avatar {...avatarOf(member.person)} size="large" />
            <span className={styles.names}>
              <Link href={orgPath(slug, 'people', member.personId)} className={styles.name}>
                {member.person.name}
              </Link>
              {member.person.title && <span className={styles.hint}>{member.person.title}</span>}
            </span>
            <select
              className={styles.select}
              aria-label={`Team role of ${truncate(member.person.name, 80)}`}
              value={member.role}
              onChange={(event) =>
                void run(updateTeamMember(team.id, member.personId, { role: event.target.value as TeamRole }))
              }
            >
              <option value="lead">Lead</option>
              <option value="member">Member</option>
            </select>
            <IconButton
              label={`Remove ${truncate(member.person.name, 80)}`}
              icon={<X size={16} aria-hidden />}
              onClick={() => void remove(member)}
            />
          </li>
        ))}
      </ul>
      <form
        className={styles.add}
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <Combobox label="Add member" items={others} value={chosen} onChange={setChosen} placeholder="Name" />
        <Button type="submit" icon={<UserPlus size={18} aria-hidden />} disabled={!chosen}>
          Add
        </Button>
      </form>
    </section>
  );
}
