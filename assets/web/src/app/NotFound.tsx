import { Link } from 'wouter';
import { Notice } from '@/ui/Notice';

/** No such page. */
export function NotFound() {
  return (
    <Notice title="There is no such page">
      <p>
        The address may be mistyped, or what it showed is gone. <Link href="/">Go to your workspaces</Link>.
      </p>
    </Notice>
  );
}
