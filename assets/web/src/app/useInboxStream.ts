/** Follows the inbox of the signed-in user in the active organization. */
import { useEffect } from 'react';
import { useSession } from '@/api/session';
import { useUnread } from '@/data/inbox';
import { followInbox } from '@/data/inboxStream';

export function useInboxStream(): void {
  const orgId = useSession((state) => state.session?.orgId);
  const userId = useSession((state) => state.user?.id);
  useEffect(() => {
    if (!orgId || userId === undefined) return;
    const stop = new AbortController();
    void followInbox(stop.signal);
    return () => {
      stop.abort();
      useUnread.setState({ unread: null });
    };
  }, [orgId, userId]);
}
