/** The frame of everything: who is signed in, what is read, and which screen is shown. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Router } from 'wouter';
import { renew, useSession } from '@/api/session';
import { queryClient } from '@/data/queries';
import { useAddress, useAddressSearch } from '@/routing/location';
import { SignInAgain } from '@/screens/signIn/SignInAgain';
import { Waiting } from '@/ui/Loading';
import { Away } from '@/ui/ServerUnavailable';
import { Toasts } from '@/ui/Toasts';
import { Boundary } from './ErrorBoundary';
import { Screens } from './Routes';
import { useFirstRenewal } from './useRestoredSession';

/** The page's nonce, for styles that parts of the page bring along. */
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
  // What one user has read is never shown to the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change is what matters
  useEffect(() => () => queryClient.clear(), [userId]);
  // What an earlier window has left unsaved is sent, whichever page is open.
  useEffect(() => {
    // When the server is away just now, it is sent by the next window, or when one opens the workspace.
    if (status === 'in') import('@/workspace/outboxes').catch(() => {});
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
