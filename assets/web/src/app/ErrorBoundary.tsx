/** Catches what no screen expected, and offers a way on that loses nothing that was saved. */
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { Button } from '@/ui/Button';
import { copyText } from '@/ui/copyText';
import { Notice } from '@/ui/Notice';
import { showToast } from '@/ui/Toasts';

interface State {
  error: unknown;
  /** Which parts of the page it came through. */
  parts: string;
}

const NO_ERROR: State = { error: null, parts: '' };

export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state = NO_ERROR;

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('Something was thrown that is nothing.') };
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
    showToast(done ? 'Details copied' : 'The browser did not copy them. Select them and copy them by hand.');
  };
  return (
    <Notice title="This page is broken">
      <p role="alert">
        That is a mistake of ours. Everything that was saved is safe. Try to show the page again; when that
        does not help, start afresh, and give the details to whoever looks after this instance.
      </p>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--gap-2)' }}>
        <Button kind="main" onClick={onRetry}>
          Show it again
        </Button>
        <Button onClick={() => location.assign('/')}>Start afresh</Button>
        <Button onClick={() => void take()}>Copy details</Button>
      </div>
      <details>
        <summary>Details</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with keys */}
        <pre tabIndex={0} style={{ maxHeight: '16rem', overflow: 'auto' }}>
          {details}
        </pre>
      </details>
    </Notice>
  );
}

/** What one needs to find the cause. The address may hold a secret behind the `#`; that stays out. */
function details(error: unknown, parts: string): string {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [`At ${location.pathname}${location.search}`, navigator.userAgent, what, parts.trim()].join('\n\n');
}
