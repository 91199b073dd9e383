/** The button for the identity provider, and the error if the user returns without having signed in. */

import { LogIn } from 'lucide-react';
import { currentPath, withBase } from '@/api/base';
import { useSession } from '@/api/session';
import { providerProblemText, providerSignInUrl, requestedPageAt } from '@/core/account/provider';
import { useSignInConfig } from '@/data/queries';
import { Button } from '@/ui/Button';
import { FormNote } from '@/ui/Form';
import { saveHash } from './savedHash';

/** Redirects to the provider in this window. The provider redirects back to the requested page. */
export function ProviderSignIn({ name, kind }: { name: string; kind: 'main' | 'plain' }) {
  const go = () => {
    const requestedPage = requestedPageAt({
      pathname: currentPath(),
      search: location.search,
      hash: location.hash,
    });
    saveHash(requestedPage);
    location.assign(withBase(providerSignInUrl(requestedPage.path)));
  };
  return (
    <Button kind={kind} icon={<LogIn size={18} aria-hidden />} onClick={go}>
      Sign in with {name}
    </Button>
  );
}

/** The reason why the sign-in failed. */
export function ProviderProblem() {
  const { data } = useSignInConfig();
  const wasSuspended = useSession((state) => state.wasSuspended);
  const problem = new URLSearchParams(location.search).get('problem') ?? (wasSuspended ? 'suspended' : null);
  if (!problem) return null;
  return (
    <FormNote tone="warn">
      <p role="alert">{providerProblemText(problem, data?.providerName ?? 'The identity provider')}</p>
    </FormNote>
  );
}
