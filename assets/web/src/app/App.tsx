/** The frame of everything: who is signed in, what is read, and which screen is shown. */
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Router } from 'wouter';
import { renewSession, useSession } from '@/api/session';
import { queryClient } from '@/data/queries';
import { useRawLocation, useRawSearch } from '@/routing/location';
import { SignInAgain } from '@/screens/signIn/SignInAgain';
import { Loading } from '@/ui/Loading';
import { ServerUnavailable } from '@/ui/ServerUnavailable';
import { Toasts } from '@/ui/Toasts';
import { ErrorBoundary } from './ErrorBoundary';
import { Routes } from './Routes';
import { useRestoredSession } from './useRestoredSession';

/** The page's nonce, for styles that parts of the page bring along. */
const NONCE = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;

export function App() {
  return (
    <CSPProvider {...(NONCE ? { nonce: NONCE } : {})}>
      <QueryClientProvider client={queryClient}>
        <ErrorBoundary>
          <Router hook={useRawLocation} searchHook={useRawSearch}>
            <SessionGate />
          </Router>
        </ErrorBoundary>
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  );
}

function SessionGate() {
  const status = useSession((state) => state.status);
  const userId = useSession((state) => state.user?.id);
  const { problem, again } = useRestoredSession(renewSession);
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
        <Routes />
        <SignInAgain />
      </>
    );
  }
  return problem ? <ServerUnavailable error={problem} onRetry={again} /> : <Loading what="Planroom" />;
}
