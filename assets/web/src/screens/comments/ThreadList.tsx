/** Threads in a list, newest first. */
import { TriangleAlert } from 'lucide-react';
import type { Thread } from '@/api/generated';
import { useSession } from '@/api/session';
import { formatCount, truncate } from '@/core/text';
import { type ThreadFilter, useThreads } from '@/data/comments';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { PlainText } from '@/ui/PlainText';
import { RelativeTime } from '@/ui/RelativeTime';
import styles from './Comments.module.css';
import { useSeenThreads } from './seen';
import { ANCHOR_NAMES, kindName } from './texts';

const MAX_EXCERPT = 140;

interface Props {
  workspaceId: string;
  filter: ThreadFilter;
  /** Whether the list names what each thread is about. */
  withAnchors: boolean;
  onOpen: (thread: Thread) => void;
}

export function ThreadList({ workspaceId, filter, withAnchors, onOpen }: Props) {
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useThreads(
    workspaceId,
    filter,
  );
  const threads = data?.pages.flatMap((page) => page.threads) ?? [];
  if (error) return <Alert text={error.message} />;
  if (isPending) return <p role="status">Loading comments…</p>;
  if (threads.length === 0) return <p className={styles.hint}>No comments match.</p>;
  return (
    <>
      <ul className={styles.threads} aria-label="Comment threads">
        {threads.map((thread) => (
          <li key={thread.id}>
            <Row thread={thread} withAnchor={withAnchors} onOpen={() => onOpen(thread)} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older comments
        </Button>
      )}
    </>
  );
}

/** The name of the author of a message. */
export function authorName({ author, importedAuthor }: Thread['firstMessage']): string {
  return author?.displayName ?? `${importedAuthor ?? 'Unknown'} (imported)`;
}

function Row({ thread, withAnchor, onOpen }: { thread: Thread; withAnchor: boolean; onOpen: () => void }) {
  const userId = useSession((state) => state.user?.id);
  const seen = useSeenThreads()[thread.id] ?? 0;
  const isOwn = thread.createdBy === userId && thread.messageCount === 1;
  const isUnread = !isOwn && seen < thread.updatedAt;
  const { anchor, firstMessage, kind, state, messageCount } = thread;
  return (
    <button
      type="button"
      className={styles.row}
      data-thread={thread.id}
      data-unread={isUnread || undefined}
      data-state={state}
      onClick={onOpen}
    >
      {withAnchor && (
        <span className={styles.anchor}>
          {ANCHOR_NAMES[anchor.type]}: {truncate(anchor.name, 80)}
          {thread.detached && ' (deleted)'}
        </span>
      )}
      <span className={styles.excerpt}>
        <PlainText text={firstMessage.text} maxChars={MAX_EXCERPT} />
      </span>
      <span className={styles.facts}>
        {kind !== 'comment' && (
          <span className={styles.kind} data-kind={kind}>
            {kind === 'inaccurate' && <TriangleAlert size={13} aria-hidden />} {kindName(kind)}
          </span>
        )}
        {state === 'resolved' && <span>Resolved</span>}
        <span>{authorName(firstMessage)}</span>
        <RelativeTime time={thread.createdAt} />
        {messageCount > 1 && <span>{formatCount(messageCount - 1, 'reply', 'replies')}</span>}
        {isUnread && <span className={styles.unread}>New</span>}
      </span>
    </button>
  );
}
