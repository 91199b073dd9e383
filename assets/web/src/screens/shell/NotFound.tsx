/** No such page. */

import { useContext } from 'react';
import { Link } from 'wouter';
import { truncate } from '@/core/text';
import { useTitle } from '@/routing/useTitle';
import { InMainContext, Notice } from '@/ui/Notice';
import { Shell } from './Shell';

export function NotFound() {
  useTitle('No such page');
  const isInMain = useContext(InMainContext);
  const words = (
    <Notice title="There is no such page">
      <p>
        <code style={{ overflowWrap: 'anywhere' }}>{displayPath()}</code> leads nowhere: the address may be
        mistyped, or what it showed is gone.
      </p>
      <p>
        <Link href="/">Go to your workspaces</Link>
      </p>
    </Notice>
  );
  return isInMain ? words : <Shell>{words}</Shell>;
}

const MAX_SHOWN_PATH = 200;

/** The address, as far as it is fit to be read. */
function displayPath(): string {
  const path = location.pathname;
  return truncate(path, MAX_SHOWN_PATH);
}
