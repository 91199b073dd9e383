/** The “page not found” screen. */
import { useContext } from 'react';
import { Link } from 'wouter';
import { InMain, Notice } from '@/ui/Notice';
import { Shell } from './Shell';
import { useTitle } from './useTitle';

export function NotFound() {
  useTitle('Page not found');
  const isInMain = useContext(InMain);
  const words = (
    <Notice title="Page not found">
      <p>
        <code style={{ overflowWrap: 'anywhere' }}>{shown()}</code> does not exist. The URL may be mistyped,
        or the page was deleted.
      </p>
      <p>
        <Link href="/">Go to your workspaces</Link>
      </p>
    </Notice>
  );
  return isInMain ? words : <Shell>{words}</Shell>;
}

const LONGEST = 200;

/** The path of the URL, shortened to a readable length. */
function shown(): string {
  const path = location.pathname;
  return path.length > LONGEST ? `${path.slice(0, LONGEST)}…` : path;
}
