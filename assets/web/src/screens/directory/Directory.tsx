/** People, teams and roles of the organization, and their responsibilities. */
import { useEffect } from 'react';
import { useParams } from 'wouter';
import { invalidateWorkspaces } from '@/data/invalidateWorkspaces';
import { useOrganizations, usePeople, useTeams } from '@/data/queries';
import { orgPath, useOrgSlug, useSegment } from '@/routing/paths';
import { useTitle } from '@/routing/useTitle';
import { NotFound } from '@/screens/shell/NotFound';
import { Shell, Tab } from '@/screens/shell/Shell';
import styles from './Directory.module.css';
import { People } from './People';
import { Roles } from './Roles';
import { Teams } from './Teams';
import { UnownedComponents } from './UnownedComponents';

const PAGES = [
  { id: 'people', name: 'People', Page: People },
  { id: 'teams', name: 'Teams', Page: Teams },
  { id: 'roles', name: 'Roles', Page: Roles },
  { id: 'unanswered', name: 'No owner', Page: UnownedComponents },
] as const;

export default function Directory() {
  const { kind } = useParams();
  const id = useSegment(3);
  // Responsibilities may have changed in workspaces that are already loaded.
  useEffect(() => void invalidateWorkspaces(), []);
  const slug = useOrgSlug();
  const page = PAGES.find((page) => page.id === kind);
  const entry = useEntryName(kind, id);
  const organization = useOrganizations().data?.organizations.find(
    (organization) => organization.slug === slug,
  )?.name;
  useTitle(page && organization && `${entry ?? page.name} · ${organization}`);
  if (!page) return <NotFound />;
  const links = (
    <>
      <Tab href={orgPath(slug)} current={false}>
        Workspaces
      </Tab>
      {PAGES.map((tab) => (
        <Tab key={tab.id} href={orgPath(slug, tab.id)} current={tab.id === kind}>
          {tab.name}
        </Tab>
      ))}
    </>
  );
  return (
    <Shell middle={<h1>People, teams and roles</h1>} tabs={{ of: 'Directory sections', links }}>
      <div className={styles.page}>
        <page.Page id={id} />
      </div>
    </Shell>
  );
}

/** The name of the person or team in the URL. */
function useEntryName(kind: string | undefined, id: string | undefined): string | undefined {
  const people = usePeople().data?.people;
  const teams = useTeams().data?.teams;
  const all = kind === 'people' ? people : kind === 'teams' ? teams : undefined;
  return all?.find((entry) => entry.id === id)?.name;
}
