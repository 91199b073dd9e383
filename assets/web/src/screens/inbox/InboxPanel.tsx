/** The list of notifications, with filters. A click opens what a notification is about and marks it as read. */
import { Check, CheckCheck, Settings } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { errorText } from '@/api/errors';
import type { InboxEntry, NotificationKind } from '@/api/generated';
import { useSession } from '@/api/session';
import { type InboxFilter, markAllRead, markRead, useInbox, useUnread } from '@/data/inbox';
import { useUserAvatar } from '@/data/photos';
import { orgPath, workspacePath } from '@/routing/paths';
import { Alert } from '@/ui/Alert';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { PlainText } from '@/ui/PlainText';
import { RelativeTime } from '@/ui/RelativeTime';
import { Select } from '@/ui/Select';
import { showError } from '@/ui/Toasts';
import styles from './Inbox.module.css';
import { KINDS } from './kinds';

export default function InboxPanel({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const slug = useSession((state) => state.session?.orgSlug ?? '');
  const [isUnreadOnly, setUnreadOnly] = useState(true);
  const [kind, setKind] = useState<NotificationKind | ''>('');
  const filter: InboxFilter = { ...(isUnreadOnly ? { unread: true } : {}), ...(kind ? { kind } : {}) };
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInbox(filter);
  const unread = useUnread((state) => state.unread) ?? 0;
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  const open = (entry: InboxEntry) => {
    void markRead([entry]).catch(showError);
    onClose();
    navigate(entryPath(slug, entry));
  };
  return (
    <>
      <div className={styles.tools}>
        <Select
          aria-label="Show"
          value={isUnreadOnly ? 'unread' : 'all'}
          onChange={(event) => setUnreadOnly(event.target.value === 'unread')}
        >
          <option value="unread">Unread</option>
          <option value="all">All</option>
        </Select>
        <Select
          aria-label="Kind"
          value={kind}
          onChange={(event) => setKind(event.target.value as typeof kind)}
        >
          <option value="">All kinds</option>
          {KINDS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <IconButton
          label="Mark all as read"
          className={styles.all}
          icon={<CheckCheck size={18} aria-hidden />}
          disabled={unread === 0}
          onClick={() => void markAllRead(Date.now()).catch(showError)}
        />
        <IconButton
          label="Notification settings"
          icon={<Settings size={18} aria-hidden />}
          onClick={() => {
            onClose();
            navigate('/account/notifications');
          }}
        />
      </div>
      {error && <Alert text={errorText(error)} />}
      {isPending && <p role="status">Loading notifications…</p>}
      {data && entries.length === 0 && (
        <p className={styles.empty}>
          {isUnreadOnly
            ? 'No unread notifications.'
            : 'No notifications. You get some when you are mentioned, in threads that you follow, and about what you watch.'}
        </p>
      )}
      {entries.length > 0 && (
        <ul className={styles.entries} aria-label="Notifications">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} onOpen={() => open(entry)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older notifications
        </Button>
      )}
    </>
  );
}

function Entry({ entry, onOpen }: { entry: InboxEntry; onOpen: () => void }) {
  const avatarOf = useUserAvatar();
  const { actor, title, text, updatedAt, readAt } = entry;
  const isUnread = readAt === null;
  return (
    <li className={styles.entry} data-unread={isUnread || undefined}>
      {actor ? <Avatar {...avatarOf(actor)} size="small" /> : <Avatar of="" name="Planroom" size="small" />}
      <button type="button" className={styles.main} onClick={onOpen}>
        <span className={styles.title}>
          {isUnread && <span className="unseen">Unread: </span>}
          {title}
        </span>
        {text && (
          <span className={styles.text}>
            <PlainText text={text} />
          </span>
        )}
        <RelativeTime time={updatedAt} className={styles.time} />
      </button>
      {isUnread && (
        <IconButton
          label={`Mark as read: ${title}`}
          title="Mark as read"
          icon={<Check size={16} aria-hidden />}
          onClick={() => void markRead([entry]).catch(showError)}
        />
      )}
    </li>
  );
}

/** The screen of what an entry is about: its thread, the drift report, the changed row, or the workspace. */
function entryPath(slug: string, { kind, workspaceId, threadId, draftId, changed }: InboxEntry): string {
  if (!slug) return orgPath(slug);
  if (threadId) return `${workspacePath(slug, workspaceId)}?thread=${encodeURIComponent(threadId)}`;
  if (draftId) return workspacePath(slug, workspaceId, 'drafts', draftId);
  if (kind === 'stale-source') return `${workspacePath(slug, workspaceId)}?report=drift`;
  const [first] = changed ?? [];
  if (first?.kind === 'component') {
    return `${workspacePath(slug, workspaceId)}?c=${encodeURIComponent(first.id)}`;
  }
  if (first?.kind === 'process') return workspacePath(slug, workspaceId, 'processes', first.id);
  if (first?.kind === 'decision') return workspacePath(slug, workspaceId, 'decisions', first.id);
  if (first?.kind === 'view') return workspacePath(slug, workspaceId, 'v', first.id);
  return workspacePath(slug, workspaceId);
}
