/** A person: profile, teams and responsibilities. */

import { Mail } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { deletePerson, type Person } from '@/api/generated';
import { propertyText } from '@/core/table/columns';
import { personPhoto } from '@/data/photos';
import { useTeams } from '@/data/queries';
import { useImageError } from '@/data/useImage';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { Avatar } from '@/ui/Avatar';
import { DeleteDialog } from './DeleteDialog';
import styles from './Directory.module.css';
import { EntryActions } from './EntryActions';
import { PersonForm } from './PersonForm';
import { Responsibilities } from './Responsibilities';
import { heldBy } from './responsibilities';
import { useIsAdmin, useMemberships } from './useDirectory';

const WHY_NOT = 'Only organization administrators can delete people.';

export function PersonPage({ person }: { person: Person }) {
  const slug = useOrgSlug();
  const [, navigate] = useLocation();
  const isAdmin = useIsAdmin();
  const teams = useTeams().data?.teams;
  const members = useMemberships();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const own = useMemo(() => {
    const names = new Map(teams?.map(({ id, name }) => [id, name]));
    return members
      .filter(({ personId }) => personId === person.id)
      .map(({ teamId, role }) => ({ id: teamId, name: names.get(teamId) ?? teamId, role }));
  }, [members, teams, person.id]);
  const holds = useMemo(
    () => heldBy(person.id, new Map(own.map(({ id, name }) => [id, name]))),
    [person.id, own],
  );
  return (
    <article className={styles.entry}>
      <header className={styles.top}>
        <Avatar of={person.userId ?? person.id} name={person.name} photo={personPhoto(person)} size="huge" />
        <div className={styles.names}>
          <h2 className={styles.title}>{person.name}</h2>
          {person.title && <p className={styles.soft}>{person.title}</p>}
        </div>
        <EntryActions
          isEditing={editing}
          whyNot={isAdmin ? undefined : WHY_NOT}
          onEdit={() => setEditing(true)}
          onDelete={() => setDeleting(true)}
        />
      </header>
      {!isAdmin && <p className={styles.soft}>{WHY_NOT}</p>}
      {editing ? <PersonForm person={person} onDone={() => setEditing(false)} /> : <Facts person={person} />}
      <section className={styles.section} aria-label="Teams">
        <h3>Teams</h3>
        {own.length === 0 && (
          <p className={styles.soft}>Not a member of a team. Add members on the page of a team.</p>
        )}
        <ul className={styles.chips}>
          {own.map(({ id, name, role }) => (
            <li key={id}>
              <Link href={orgPath(slug, 'teams', id)} className={styles.chip}>
                {name}
                {role === 'lead' && ' · Lead'}
              </Link>
            </li>
          ))}
        </ul>
      </section>
      <Responsibilities name={person.name} holds={holds} />
      {deleting && (
        <DeleteDialog
          name={person.name}
          what="person"
          consequences={
            own.length > 0
              ? `They are also removed from ${own.length === 1 ? 'one team' : `${own.length} teams`}.`
              : ''
          }
          remove={(force) => deletePerson(person.id, force ? { force } : undefined)}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate(orgPath(slug, 'people'))}
        />
      )}
    </article>
  );
}

function Facts({ person }: { person: Person }) {
  const contact = Object.entries(person.contact);
  const noPicture = useImageError(personPhoto(person));
  return (
    <section className={styles.section} aria-label="About">
      {noPicture && <p className={styles.soft}>{noPicture} Planroom will try again later.</p>}
      {person.email && (
        <p className={styles.fact}>
          <Mail size={16} aria-hidden />
          <a href={`mailto:${encodeURIComponent(person.email)}`}>{person.email}</a>
        </p>
      )}
      {contact.length > 0 && (
        <dl className={styles.facts}>
          {contact.map(([key, value]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{propertyText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {person.bio ? (
        <p className={styles.bio}>{person.bio}</p>
      ) : (
        <p className={styles.soft}>No details yet.</p>
      )}
    </section>
  );
}
