/** The authorization page of a connected app: who it is, where it redirects to, and what access it gets. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError } from '@/api/errors';
import { readConsentRequest } from '@/api/generated';
import { useSession } from '@/api/session';
import { Away } from '@/app/Away';
import { useOrganizations } from '@/app/queries';
import { Entrance } from '@/screens/entrance/Entrance';
import { SignIn } from '@/screens/entrance/SignIn';
import { useSecret } from '@/screens/entrance/useSecret';
import { Waiting } from '@/ui/Waiting';
import { Question } from './Question';

/** Sign-in on this page: the request id stays in the URL fragment and out of every log. */
export function Consent() {
  const secret = useSecret();
  const userId = useSession((state) => state.user?.id);
  const isIn = useSession((state) => state.status === 'in' || state.status === 'ended');
  if (!isIn) return <SignIn />;
  return secret ? <Asked key={`${secret} ${userId}`} secret={secret} /> : <Unknown isWhole={false} />;
}

function Asked({ secret }: { secret: string }) {
  const request = useQuery({
    queryKey: ['consent', secret],
    queryFn: () => readConsentRequest({ request: secret }),
    // Read once, and kept on the screen after it was answered.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const organizations = useOrganizations();
  const error = request.error ?? organizations.error;
  if (error instanceof ApiError && error.status === 404) return <Unknown isWhole />;
  const again = () => void (request.error ? request : organizations).refetch();
  if (error) return <Away error={error} onRetry={again} />;
  if (!request.data || !organizations.data) return <Waiting what="the authorization request" />;
  return <Question secret={secret} request={request.data} organizations={organizations.data.organizations} />;
}

function Unknown({ isWhole }: { isWhole: boolean }) {
  return (
    <Entrance title="Invalid authorization request">
      <p>
        {isWhole
          ? 'The request was already answered, is older than 15 minutes, or was opened with another account.'
          : 'The part of the URL after the # is missing.'}{' '}
        No access was granted. Go back to the app and connect it again.
      </p>
      <Link href="/">Go to your workspaces</Link>
    </Entrance>
  );
}
