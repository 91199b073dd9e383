/** The user's organizations, with buttons to leave one and to create another. */
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { Organization } from '@/api/generated';
import { renewSession, useSession } from '@/api/session';
import { queryClient, queryKeys, useOrganizations } from '@/data/queries';
import { orgPath } from '@/routing/paths';
import { NewOrganization, useCanCreateOrganization } from '@/screens/organization/NewOrganization';
import { RemoveMember } from '@/screens/organization/RemoveMember';
import { Button } from '@/ui/Button';
import { Badge, DataList, DataRow, EmptyList } from '@/ui/DataList';
import { QueryResult } from '@/ui/QueryResult';
import { Panel } from '@/ui/Sections';
import { showError, showToast } from '@/ui/Toasts';

export function Organizations() {
  const user = useSession((state) => state.user);
  const active = useSession((state) => state.session?.orgId);
  const [, navigate] = useLocation();
  const [leaving, setLeaving] = useState<Organization | null>(null);
  const askToLeave = async (organization: Organization) => {
    // Only the active organization can be left. Activating it also lets the dialog list possible new owners.
    if (organization.id !== active) await renewSession(organization.id);
    setLeaving(organization);
  };
  const left = async () => {
    await renewSession(null);
    await queryClient.invalidateQueries({ queryKey: queryKeys.organizations });
    showToast(`You left ${leaving?.name}`);
  };
  return (
    <Panel
      title="Organizations"
      about={`Workspaces, people and teams belong to an organization. You see those of the organizations you are a member of.${
        useCanCreateOrganization() === false
          ? ' Only administrators of this instance can create organizations.'
          : ''
      }`}
      actions={<NewOrganization />}
    >
      <QueryResult query={useOrganizations()} what="your organizations">
        {({ organizations }) =>
          organizations.length === 0 ? (
            <EmptyList>
              You are not a member of any organization. Ask an organization administrator for an invitation
              link.
            </EmptyList>
          ) : (
            <DataList label="Organizations">
              {organizations.map((organization) => (
                <DataRow
                  key={organization.id}
                  title={<Link href={orgPath(organization.slug)}>{organization.name}</Link>}
                  badges={organization.role === 'org:admin' && <Badge>Administrator</Badge>}
                  facts={[<code key="slug">{organization.slug}</code>]}
                  actions={
                    <>
                      {organization.role === 'org:admin' && (
                        <Button
                          aria-label={`Settings for ${organization.name}`}
                          onClick={() => navigate(orgPath(organization.slug, 'settings'))}
                        >
                          Settings
                        </Button>
                      )}
                      <Button
                        kind="danger"
                        aria-label={`Leave ${organization.name}`}
                        onClick={() => void askToLeave(organization).catch(showError)}
                      >
                        Leave
                      </Button>
                    </>
                  }
                />
              ))}
            </DataList>
          )
        }
      </QueryResult>
      {leaving && user && (
        <RemoveMember
          organization={leaving}
          member={{ userId: user.id, name: user.displayName }}
          isMyself
          onClose={() => setLeaving(null)}
          onRemoved={left}
        />
      )}
    </Panel>
  );
}
