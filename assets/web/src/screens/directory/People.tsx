/** The people of the organization. */
import { Plus, UserRound } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { usePageCommands } from '@/actions/pageCommands';
import { personPhoto } from '@/data/photos';
import { usePeople, useTeams } from '@/data/queries';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { Avatar } from '@/ui/Avatar';
import { EmptyState } from '@/ui/EmptyState';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { ListPane } from './ListPane';
import { NewDialog } from './NewDialog';
import { PersonPage } from './PersonPage';
import { useMemberships } from './useDirectory';

export function People({ id }: { id: string | undefined }) {
  const slug = useOrgSlug();
  const [, navigate] = useLocation();
  const { data, error, refetch } = usePeople();
  const teams = useTeams().data?.teams;
  const members = useMemberships();
  const [adding, setAdding] = useState(false);
  usePageCommands([{ id: 'people.new', title: 'New person', icon: Plus, run: () => setAdding(true) }]);
  const items = useMemo(() => {
    const teamNames = new Map(teams?.map((team) => [team.id, team.name]));
    const of = new Map<string, string[]>();
    for (const { personId, teamId } of members) {
      const names = of.get(personId) ?? [];
      names.push(teamNames.get(teamId) ?? teamId);
      of.set(personId, names);
    }
    return [...(data?.people ?? [])]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((person) => ({
        id: person.id,
        name: person.name,
        hint: [person.title, ...(of.get(person.id) ?? [])].filter(Boolean).join(' · '),
        icon: (
          <Avatar
            of={person.userId ?? person.id}
            name={person.name}
            photo={personPhoto(person)}
            size="large"
          />
        ),
      }));
  }, [data, teams, members]);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="people" />;
  const person = data.people.find((person) => person.id === id);
  return (
    <ListPane
      what="people"
      items={items}
      current={id}
      hrefOf={(personId) => (personId ? orgPath(slug, 'people', personId) : orgPath(slug, 'people'))}
      onNew={() => setAdding(true)}
    >
      {person ? (
        <PersonPage key={person.id} person={person} />
      ) : (
        <EmptyState
          title={id === undefined ? 'Ownership' : 'Person not found'}
          icon={<UserRound size={36} aria-hidden />}
        >
          <p>
            {id === undefined
              ? 'Select a person to see their teams and what they are responsible for, in all workspaces you can access.'
              : 'The person was deleted, or the URL is mistyped. The list shows all people.'}
          </p>
          <p>People don’t need an account. Members of the organization are added automatically.</p>
        </EmptyState>
      )}
      {adding && (
        <NewDialog
          kind="person"
          onClose={() => setAdding(false)}
          onCreated={(made) => navigate(orgPath(slug, 'people', made))}
        />
      )}
    </ListPane>
  );
}
