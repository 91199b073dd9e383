/** Activates the organization in the URL before its screens load data. */
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { renewSession, useSession } from '@/api/session';
import { useOrganizations } from '@/data/queries';
import { useOrgSlug } from '@/routing/paths';
import { Shell } from '@/screens/shell/Shell';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';

export function OrganizationScope({ children }: { children: ReactNode }) {
  const slug = useOrgSlug();
  const active = useSession((state) => state.session?.orgId);
  const { data, error, refetch } = useOrganizations();
  const [problem, setProblem] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const organization = data?.organizations.find((candidate) => candidate.slug === slug);
  const organizationId = organization?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt must run the effect again
  useEffect(() => {
    if (organizationId && organizationId !== active) renewSession(organizationId).catch(setProblem);
  }, [organizationId, active, attempt]);

  if (error ?? problem) {
    const retry = () => {
      setProblem(null);
      setAttempt(attempt + 1);
      void refetch();
    };
    return <LoadError error={error ?? problem} onRetry={retry} />;
  }
  if (!data) return <Loading what="your organizations" />;
  if (!organization) {
    return (
      <Shell>
        <Notice title="You are not a member of this organization">
          <p style={{ overflowWrap: 'anywhere' }}>
            “{slug}” does not exist, or you have not been invited to it. Ask one of its administrators for an
            invitation.
          </p>
          <p>
            <Link href="/">Go to your workspaces</Link>
          </p>
        </Notice>
      </Shell>
    );
  }
  return organizationId === active ? children : <Loading what={organization.name} />;
}
