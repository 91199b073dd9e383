/** What belongs to one organization: makes the one in the address the active one before anything is read. */
import { type ReactNode, useEffect, useState } from 'react';
import { renew, useSession } from '@/api/session';
import { Failure } from '@/ui/Failure';
import { Notice } from '@/ui/Notice';
import { Waiting } from '@/ui/Waiting';
import { useOrganizations } from './queries';

export function OrgScope({ slug, children }: { slug: string; children: ReactNode }) {
  const active = useSession((state) => state.session?.orgId);
  const { data, error, refetch } = useOrganizations();
  const [problem, setProblem] = useState<unknown>(null);
  const organization = data?.organizations.find((one) => one.slug === slug);
  const wanted = organization?.id;
  useEffect(() => {
    if (wanted && wanted !== active) renew(wanted).catch(setProblem);
  }, [wanted, active]);

  if (error ?? problem) {
    const again = () => {
      setProblem(null);
      void refetch();
    };
    return <Failure error={error ?? problem} onRetry={again} />;
  }
  if (!data) return <Waiting what="your organizations" />;
  if (!organization) {
    return (
      <Notice title="You are not in this organization">
        <p>
          “{slug}” does not exist, or nobody has invited you to it yet. Ask one of its administrators for an
          invitation.
        </p>
      </Notice>
    );
  }
  return wanted === active ? children : <Waiting what={organization.name} />;
}
