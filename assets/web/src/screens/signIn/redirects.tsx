/** Redirects for URLs without a screen. */

import { useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { currentPath } from '@/api/base';
import { useSession } from '@/api/session';
import { endedAccessText } from '@/core/account/provider';
import { useOrganizations, useSignInConfig } from '@/data/queries';
import { orgPath } from '@/routing/paths';
import { NoOrganization } from '@/screens/workspaces/NoOrganization';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { showAlertToast } from '@/ui/Toasts';
import { withSavedHash } from './savedHash';

/** Redirects to sign-in, with the current URL as the page to return to. */
export function SignInRedirect() {
  const target = currentPath() + location.search + location.hash;
  return (
    <Redirect to={target === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(target)}`} replace />
  );
}

/** Redirects to `next` if it is a page of this site, otherwise to the active or first organization. */
export function HomeRedirect() {
  const active = useSession((state) => state.session?.orgSlug);
  const { data, error, refetch } = useOrganizations();
  const config = useSignInConfig();
  const next = new URLSearchParams(location.search).get('next');
  const wiki = new URLSearchParams(location.search).get('wiki');
  useEndedNotice();
  if (next && isLocalPath(next)) return <Redirect to={withSavedHash(next)} replace />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data || config.isPending) return <Loading what="your organizations" />;
  const slug =
    data.organizations.find((organization) => organization.slug === active)?.slug ??
    data.organizations[0]?.slug;
  if (!slug) return currentPath() === '/' ? <NoOrganization /> : <Redirect to="/" replace />;
  // After authorizing the wiki, return to its settings page.
  const back = wiki && `${orgPath(slug, 'settings', 'wiki')}?wiki=${encodeURIComponent(wiki)}`;
  // The link of emails to the inbox.
  const inbox = new URLSearchParams(location.search).has('inbox') ? '?inbox=open' : '';
  return <Redirect to={back || orgPath(slug) + inbox} replace />;
}

/** Shows which access was revoked when the account was linked to the identity provider. */
function useEndedNotice() {
  const [words] = useState(() => new URLSearchParams(location.search).get('ended'));
  useEffect(() => {
    const text = endedAccessText(words);
    if (text) showAlertToast(text);
  }, [words]);
}

/** Whether the path stays on this site, to prevent open redirects. */
function isLocalPath(path: string): boolean {
  return path.startsWith('/') && URL.parse(path, location.origin)?.origin === location.origin;
}
