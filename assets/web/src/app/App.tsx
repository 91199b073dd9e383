/** The root component: session, queries and routing. */

import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Router } from 'wouter';
import { BASE } from '@/api/base';
import { renewSession, useSession } from '@/api/session';
import { queryClient } from '@/data/queries';
import { useRawLocation, useRawSearch } from '@/routing/location';
import { SignInAgain } from '@/screens/signIn/SignInAgain';
import { Loading } from '@/ui/Loading';
import { ServerUnavailable } from '@/ui/ServerUnavailable';
import { Toasts } from '@/ui/Toasts';
import { ErrorBoundary } from './ErrorBoundary';
import { Routes } from './Routes';
import { useInboxStream } from './useInboxStream';
import { useRestoredSession } from './useRestoredSession';

/** The CSP nonce of the page, for styles injected by components. */
const NONCE = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce;

export function App() {
  return (
    <CSPProvider {...(NONCE ? { nonce: NONCE } : {})}>
      <QueryClientProvider client={queryClient}>
        <ErrorBoundary>
          <Router base={BASE} hook={useRawLocation} searchHook={useRawSearch}>
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
  useInboxStream();
  // Cached data of one user must never be shown to the next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run whenever the user changes
  useEffect(() => () => queryClient.clear(), [userId]);
  // Send unsaved edits of earlier windows, regardless of the open page.
  useEffect(() => {
    // If the server is unreachable, edits are sent by the next window, or when the workspace is opened.
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
