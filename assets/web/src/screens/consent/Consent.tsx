/** A program asks to be let in: who it is, where it sends the answer, and what its user lets it do. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ApiError } from '@/api/errors';
import { readConsentRequest } from '@/api/generated';
import { useSession } from '@/api/session';
import { useOrganizations } from '@/data/queries';
import { SignIn } from '@/screens/signIn/SignIn';
import { SignInLayout } from '@/screens/signIn/SignInLayout';
import { useLinkSecret } from '@/screens/signIn/useLinkSecret';
import { Loading } from '@/ui/Loading';
import { ServerUnavailable } from '@/ui/ServerUnavailable';
import { ConsentForm } from './ConsentForm';

/** Whoever is not signed in does so here: what names the request stays behind the `#`, and so out of every log. */
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
    queryFn: () => readConsentRequest({ request: secret }),
    // It is read once, and stays on the screen after it was answered.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const organizations = useOrganizations();
  const error = request.error ?? organizations.error;
  if (error instanceof ApiError && error.status === 404) return <UnknownRequest isWhole />;
  const again = () => void (request.error ? request : organizations).refetch();
  if (error) return <ServerUnavailable error={error} onRetry={again} />;
  if (!request.data || !organizations.data) return <Loading what="what the program asks for" />;
  return (
    <ConsentForm secret={secret} request={request.data} organizations={organizations.data.organizations} />
  );
}

function UnknownRequest({ isWhole }: { isWhole: boolean }) {
  return (
    <SignInLayout title="This request cannot be answered">
      <p>
        {isWhole
          ? 'It was answered already, is older than a quarter of an hour, or was opened with another account first.'
          : 'The part behind the # of this address is missing.'}{' '}
        Nothing was granted. Go back to the program, and connect it again from there.
      </p>
      <Link href="/">Go to your workspaces</Link>
    </SignInLayout>
  );
}
