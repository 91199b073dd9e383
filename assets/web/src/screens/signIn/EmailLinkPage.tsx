/** Loads what a link in an email is for, and explains links that do not work. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiError } from '@/api/errors';
import { Loading } from '@/ui/Loading';
import { ServerUnavailable } from '@/ui/ServerUnavailable';
import { SignInLayout } from './SignInLayout';
import { useLinkSecret } from './useLinkSecret';

interface Props<T> {
  /** What the link is, for the cache and while it is loaded. */
  what: string;
  read: (secret: string) => Promise<T>;
  /** What to do if the link was used, replaced, or has expired. */
  remedy: ReactNode;
  children: (link: T, secret: string) => ReactNode;
}

export function EmailLinkPage<T>({ what, read, remedy, children }: Props<T>) {
  const secret = useLinkSecret();
  const { data, error, refetch } = useQuery({
    queryKey: ['email-link', what, secret],
    queryFn: () => read(secret),
    enabled: secret !== '',
    retry: false,
    // After the link was used, it does not exist anymore.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (error instanceof ApiError && error.isTemporary)
    return <ServerUnavailable error={error} onRetry={() => void refetch()} />;
  if (error || !secret) {
    return (
      <SignInLayout title="Invalid link">
        {secret ? (
          <p>The link was used or replaced by a newer one, or it has expired. {remedy}</p>
        ) : (
          <p>The part of the URL after the # is missing. Copy the whole link.</p>
        )}
        <Link href="/">Go to Planroom</Link>
      </SignInLayout>
    );
  }
  if (data === undefined) return <Loading what={what} />;
  return children(data, secret);
}
