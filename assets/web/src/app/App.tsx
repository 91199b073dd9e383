/** The root component: session, queries and routing. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Router } from 'wouter';
import { renew, useSession } from '@/api/session';
import { SignInAgain } from '@/screens/plan/SignInAgain';
import { Toasts } from '@/ui/Toasts';
import { Waiting } from '@/ui/Waiting';
import { Away } from './Away';
import { useAddress, useAddressSearch } from './address';
import { Boundary } from './Boundary';
import { queryClient } from './queries';
import { Screens } from './Screens';
import { useFirstRenewal } from './useFirstRenewal';

/** The CSP nonce of the page, for styles that components inject. */
const NONCE = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;

export function App() {
  return (
    <CSPProvider {...(NONCE ? { nonce: NONCE } : {})}>
      <QueryClientProvider client={queryClient}>
        <Boundary>
          <Router hook={useAddress} searchHook={useAddressSearch}>
            <Entered />
          </Router>
        </Boundary>
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  );
}

function Entered() {
  const status = useSession((state) => state.status);
  const userId = useSession((state) => state.user?.id);
  const { problem, again } = useFirstRenewal(renew);
  // Data of one user is never shown to the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run whenever the user changes
  useEffect(() => () => queryClient.clear(), [userId]);
  // Send unsaved edits of earlier windows, whichever page is open.
  useEffect(() => {
    // If the server is unreachable now, the next window sends them, or the workspace when it opens.
    if (status === 'in') import('@/plan/outboxes').catch(() => {});
  }, [status]);
  if (status !== 'unknown') {
    return (
      <>
        <Screens />
        <SignInAgain />
      </>
    );
  }
  return problem ? <Away error={problem} onRetry={again} /> : <Waiting what="Planroom" />;
}
