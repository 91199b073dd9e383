/** The bell in the app bar: the number of unread notifications, and the inbox. */
import { Bell } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import { usePageCommands } from '@/actions/pageCommands';
import { currentPath } from '@/api/base';
import { useSession } from '@/api/session';
import { formatCount } from '@/core/text';
import { useUnread } from '@/data/inbox';
import { navigate } from '@/routing/location';
import { IconButton } from '@/ui/Button';
import { Loading } from '@/ui/Loading';
import { Popover } from '@/ui/Popover';
import styles from './Inbox.module.css';

const InboxPanel = lazy(() => import('./InboxPanel'));

/** The largest number that the badge shows. */
const MAX_SHOWN = 99;

export function InboxButton() {
  const orgId = useSession((state) => state.session?.orgId);
  const unread = useUnread((state) => state.unread) ?? 0;
  const [open, setOpen] = useState(false);
  const isWanted = new URLSearchParams(useSearch()).has('inbox');
  useEffect(() => {
    if (!isWanted || !orgId) return;
    setOpen(true);
    navigate(currentPath(), { replace: true });
  }, [isWanted, orgId]);
  usePageCommands([
    Boolean(orgId) && {
      id: 'inbox.open',
      title: 'Open inbox',
      group: 'Go to',
      icon: Bell,
      run: () => setOpen(true),
    },
  ]);
  if (!orgId) return null;
  const label = unread > 0 ? `Inbox: ${formatCount(unread, 'unread notification')}` : 'Inbox';
  return (
    <Popover
      title="Inbox"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <IconButton
          label={label}
          icon={
            <span className={styles.bell}>
              <Bell size={18} aria-hidden />
              {unread > 0 && (
                <span className={styles.badge} aria-hidden>
                  {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
                </span>
              )}
            </span>
          }
        />
      }
    >
      <Suspense fallback={<Loading what="your inbox" />}>
        <InboxPanel onClose={() => setOpen(false)} />
      </Suspense>
    </Popover>
  );
}
