/** Where to go when an address alone does not say. */
import { useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import { useSession } from '@/api/session';
import { endedAccessText } from '@/core/account/provider';
import { useOrganizations, useSignInConfig } from '@/data/queries';
import { orgPath } from '@/routing/paths';
import { NoOrganization } from '@/screens/workspaces/NoOrganization';
import { LoadError } from '@/ui/LoadError';
import { Loading } from '@/ui/Loading';
import { showAlertToast } from '@/ui/Toasts';
import { withSavedHash } from './savedHash';

/** To the sign-in, and back to where one was going. */
export function SignInRedirect() {
  const target = location.pathname + location.search + location.hash;
  return (
    <Redirect to={target === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(target)}`} replace />
  );
}

/** To what `nextEdit` says, if it is a page of ours; else to the organization that is active, or the first. */
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
  const slug = data.organizations.find((one) => one.slug === active)?.slug ?? data.organizations[0]?.slug;
  if (!slug) return location.pathname === '/' ? <NoOrganization /> : <Redirect to="/" replace />;
  // Back from the wiki's provider: to where one went from.
  const back = wiki && `${orgPath(slug, 'settings', 'wiki')}?wiki=${encodeURIComponent(wiki)}`;
  return <Redirect to={back || orgPath(slug)} replace />;
}

/** Says what ended because the account was linked to the identity provider a moment ago. */
function useEndedNotice() {
  const [words] = useState(() => new URLSearchParams(location.search).get('ended'));
  useEffect(() => {
    const text = endedAccessText(words);
    if (text) showAlertToast(text);
  }, [words]);
}

/** A path of this site: nothing that leads a browser elsewhere. */
function isLocalPath(path: string): boolean {
  return path.startsWith('/') && URL.parse(path, location.origin)?.origin === location.origin;
}
