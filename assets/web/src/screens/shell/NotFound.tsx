/** The “page not found” screen. */

import { useContext } from 'react';
import { Link } from 'wouter';
import { currentPath } from '@/api/base';
import { truncate } from '@/core/text';
import { useTitle } from '@/routing/useTitle';
import { InMainContext, Notice } from '@/ui/Notice';
import { Shell } from './Shell';

export function NotFound() {
  useTitle('Page not found');
  const isInMain = useContext(InMainContext);
  const words = (
    <Notice title="Page not found">
      <p>
        <code style={{ overflowWrap: 'anywhere' }}>{displayPath()}</code> does not exist. The URL may be
        mistyped, or the page was deleted.
      </p>
      <p>
        <Link href="/">Go to your workspaces</Link>
      </p>
    </Notice>
  );
  return isInMain ? words : <Shell>{words}</Shell>;
}

const MAX_SHOWN_PATH = 200;

/** The path of the URL, truncated to a readable length. */
function displayPath(): string {
  return truncate(currentPath(), MAX_SHOWN_PATH);
}
