/** The authorization page of a connected app: its identity, redirect target, and requested access. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError } from '@/api/errors';
import { getConsentRequest } from '@/api/generated';
import { useSession } from '@/api/session';
import { useOrganizations } from '@/data/queries';
import { SignIn } from '@/screens/signIn/SignIn';
import { SignInLayout } from '@/screens/signIn/SignInLayout';
import { useLinkSecret } from '@/screens/signIn/useLinkSecret';
import { Loading } from '@/ui/Loading';
import { ServerUnavailable } from '@/ui/ServerUnavailable';
import { ConsentForm } from './ConsentForm';

/** The page supports sign-in, so that the request ID stays in the URL fragment and is never logged. */
export function Consent() {
  const secret = useLinkSecret();
  const userId = useSession((state) => state.user?.id);
  const isIn = useSession((state) => state.status === 'in' || state.status === 'ended');
  if (!isIn) return <SignIn />;
  return secret ? (
    <ConsentRequested key={`${secret} ${userId}`} secret={secret} />
  ) : (
    <UnknownRequest isWhole={false} />
  );
}

function ConsentRequested({ secret }: { secret: string }) {
  const request = useQuery({
    queryKey: ['consent', secret],
    queryFn: () => getConsentRequest({ request: secret }),
    // Loaded once, and kept on the screen after it is answered.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const organizations = useOrganizations();
  const error = request.error ?? organizations.error;
  if (error instanceof ApiError && error.status === 404) return <UnknownRequest isWhole />;
  const retry = () => void (request.error ? request : organizations).refetch();
  if (error) return <ServerUnavailable error={error} onRetry={retry} />;
  if (!request.data || !organizations.data) return <Loading what="the authorization request" />;
  return (
    <ConsentForm secret={secret} request={request.data} organizations={organizations.data.organizations} />
  );
}

function UnknownRequest({ isWhole }: { isWhole: boolean }) {
  return (
    <SignInLayout title="Invalid authorization request">
      <p>
        {isWhole
          ? 'The request was already answered, is older than 15 minutes, or was opened with another account.'
          : 'The part of the URL after the # is missing.'}{' '}
        No access was granted. Go back to the app and connect it again.
      </p>
      <Link href="/">Go to your workspaces</Link>
    </SignInLayout>
  );
}
