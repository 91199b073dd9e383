/** The teams of the organization. */
import { Plus, Users } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { usePageCommands } from '@/actions/pageCommands';
import { useTeams } from '@/data/queries';
import { orgPath, useOrgSlug } from '@/routing/paths';
import { EmptyState } from '@/ui/EmptyState';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { ListPane } from './ListPane';
import { NewDialog } from './NewDialog';
import { TeamPage } from './TeamPage';
import { useMemberships } from './useDirectory';

export function Teams({ id }: { id: string | undefined }) {
  const slug = useOrgSlug();
  const [, navigate] = useLocation();
  const { data, error, refetch } = useTeams();
  const members = useMemberships();
  const [adding, setAdding] = useState(false);
  usePageCommands([{ id: 'teams.new', title: 'New team', icon: Plus, run: () => setAdding(true) }]);
  const items = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { teamId } of members) counts.set(teamId, (counts.get(teamId) ?? 0) + 1);
    return [...(data?.teams ?? [])]
      .sort((a, b) => a.name.localeCompare(b.name))
      .map((team) => {
        const count = counts.get(team.id) ?? 0;
        const people = count === 1 ? '1 person' : `${count} people`;
        return { id: team.id, name: team.name, hint: people, icon: <Users size={18} aria-hidden /> };
      });
  }, [data, members]);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading what="teams" />;
  const team = data.teams.find((team) => team.id === id);
  return (
    <ListPane
      what="teams"
      items={items}
      current={id}
      hrefOf={(teamId) => (teamId ? orgPath(slug, 'teams', teamId) : orgPath(slug, 'teams'))}
      onNew={() => setAdding(true)}
    >
      {team ? (
        <TeamPage key={team.id} team={team} />
      ) : (
        <EmptyState
          title={id === undefined ? 'Teams share ownership' : 'Team not found'}
          icon={<Users size={36} aria-hidden />}
        >
          <p>
            {data.teams.length === 0
              ? 'No teams yet. A team can be responsible for components like a person. Its members share that responsibility.'
              : 'Select a team to see its members and what it is responsible for.'}
          </p>
        </EmptyState>
      )}
      {adding && (
        <NewDialog
          kind="team"
          onClose={() => setAdding(false)}
          onCreated={(made) => navigate(orgPath(slug, 'teams', made))}
        />
      )}
    </ListPane>
  );
}
