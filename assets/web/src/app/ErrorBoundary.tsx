/** Catches rendering errors that screens do not handle, and offers to retry. */

import { Component, type ErrorInfo, type ReactNode } from 'react';
import { withBase } from '@/api/base';
import { Button } from '@/ui/Button';
import { copyText } from '@/ui/copyText';
import { Notice } from '@/ui/Notice';
import { showToast } from '@/ui/Toasts';

interface State {
  error: unknown;
  /** The React component stack. */
  parts: string;
}

const NO_ERROR: State = { error: null, parts: '' };

export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state = NO_ERROR;

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('An empty value was thrown.') };
  }

  override componentDidCatch(_: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ parts: componentStack ?? '' });
  }

  override render() {
    const { error, parts } = this.state;
    if (error === null) return this.props.children;
    return <ErrorPage details={details(error, parts)} onRetry={() => this.setState(NO_ERROR)} />;
  }
}

function ErrorPage({ details, onRetry }: { details: string; onRetry: () => void }) {
  const take = async () => {
    const done = await copyText(details);
    showToast(done ? 'Details copied' : 'Could not copy. Select the details and copy them manually.');
  };
  return (
    <Notice title="Something went wrong">
      <p role="alert">
        This is a bug in Planroom. Your saved work is safe. Try again. If that doesn’t help, go to the start
        page and send the details to your administrator.
      </p>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--gap-2)' }}>
        <Button kind="main" onClick={onRetry}>
          Try again
        </Button>
        <Button onClick={() => location.assign(withBase('/'))}>Go to start page</Button>
        <Button onClick={() => void take()}>Copy details</Button>
      </div>
      <details>
        <summary>Details</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <pre tabIndex={0} style={{ maxHeight: '16rem', overflow: 'auto' }}>
          {details}
        </pre>
      </details>
    </Notice>
  );
}

/** The details for a bug report. The URL fragment is omitted because it may contain a secret. */
function details(error: unknown, parts: string): string {
  const description = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [`URL: ${location.pathname}${location.search}`, navigator.userAgent, description, parts.trim()].join(
    '\n\n',
  );
}
