/** A thread with its messages. */
import { Bell, BellOff, Check, Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import {
  createThreadMessage,
  deleteThread,
  deleteThreadMessage,
  followThread,
  leaveThread,
  reopenThread,
  resolveThread,
  type Thread,
  type ThreadMessage,
  updateThreadMessage,
} from '@/api/generated';
import { useSession } from '@/api/session';
import { invalidateComments, useThread } from '@/data/comments';
import { invalidateFollowing, useThreadFollowing } from '@/data/inbox';
import { useUserAvatar } from '@/data/photos';
import { Alert } from '@/ui/Alert';
import { Avatar } from '@/ui/Avatar';
import { Button, IconButton } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/ConfirmDialog';
import { RelativeTime } from '@/ui/RelativeTime';
import { showError } from '@/ui/Toasts';
import { useAction } from '@/ui/useAction';
import { useFocusAgain } from '@/ui/useFocusAgain';
import { hasKeptInput } from '@/workspace/keptInput';
import { useWorkspace } from '@/workspace/store';
import styles from './Comments.module.css';
import { CommentText } from './CommentText';
import { Composer } from './Composer';
import { markSeen } from './seen';
import { authorName } from './ThreadList';
import { kindName } from './texts';

interface Props {
  workspaceId: string;
  threadId: string;
  canComment: boolean;
  /** Called when the thread no longer exists. */
  onGone: () => void;
}

export function ThreadView({ workspaceId, threadId, canComment, onGone }: Props) {
  const { data, error } = useThread(workspaceId, threadId);
  const thread = data?.thread;
  useEffect(() => {
    if (thread) markSeen(thread);
  }, [thread]);
  if (error) return <Alert text={error.message} />;
  if (!thread) return <p role="status">Loading thread…</p>;
  const written = () => invalidateComments(workspaceId);
  return (
    <>
      <State thread={thread} onWritten={written} />
      <ol className={styles.messages} aria-label="Messages">
        {thread.messages?.map((message) => (
          <Message key={message.id} thread={thread} message={message} onWritten={written} onGone={onGone} />
        ))}
      </ol>
      {canComment && (
        <Composer
          label="Reply"
          inputId={`reply/${threadId}`}
          submitLabel="Reply"
          onSubmit={async (text) => {
            await createThreadMessage(workspaceId, threadId, { text });
            await Promise.all([written(), invalidateFollowing(workspaceId, threadId)]);
          }}
        />
      )}
      <Following workspaceId={workspaceId} threadId={threadId} />
      <DeleteThread thread={thread} onWritten={written} onGone={onGone} />
    </>
  );
}

/** Whether replies are in the user's inbox. */
function Following({ workspaceId, threadId }: { workspaceId: string; threadId: string }) {
  const { data } = useThreadFollowing(workspaceId, threadId);
  const { busy, run } = useAction();
  if (!data) return null;
  const { following } = data;
  const toggle = () =>
    run(async () => {
      await (following ? leaveThread : followThread)(workspaceId, threadId).catch(showError);
      await invalidateFollowing(workspaceId, threadId);
    });
  return (
    <div>
      <Button
        busy={busy}
        aria-pressed={following}
        title={following ? 'Replies are in your inbox' : 'Get replies in your inbox'}
        icon={following ? <BellOff size={16} aria-hidden /> : <Bell size={16} aria-hidden />}
        onClick={() => void toggle()}
      >
        {following ? 'Unfollow thread' : 'Follow thread'}
      </Button>
    </div>
  );
}

/** Whether the user may resolve a thread: its author, or an editor. */
function useMayManage({ createdBy }: Thread): boolean {
  const userId = useSession((state) => state.user?.id);
  const role = useWorkspace((state) => state.rows?.workspace.myRole);
  return role === 'editor' || role === 'owner' || (role === 'viewer' && createdBy === userId);
}

function State({ thread, onWritten }: { thread: Thread; onWritten: () => Promise<void> }) {
  const { busy, error, run } = useAction();
  const mayManage = useMayManage(thread);
  const isResolved = thread.state === 'resolved';
  const act = async () => {
    if (isResolved) await reopenThread(thread.workspaceId, thread.id);
    else await resolveThread(thread.workspaceId, thread.id);
    await onWritten();
  };
  return (
    <div className={styles.state}>
      <p>
        <span className={styles.kind} data-kind={thread.kind}>
          {kindName(thread.kind)}
        </span>{' '}
        {isResolved ? (
          <>
            resolved by {thread.resolvedBy}{' '}
            {thread.resolvedAt !== undefined && <RelativeTime time={thread.resolvedAt} />}
          </>
        ) : (
          'open'
        )}
      </p>
      {mayManage && (
        <Button
          busy={busy}
          icon={isResolved ? <RotateCcw size={16} aria-hidden /> : <Check size={16} aria-hidden />}
          onClick={() => run(act)}
        >
          {isResolved ? 'Reopen thread' : 'Resolve thread'}
        </Button>
      )}
      <Alert text={error instanceof Error ? error.message : undefined} />
    </div>
  );
}

interface MessageProps {
  thread: Thread;
  message: ThreadMessage;
  onWritten: () => Promise<void>;
  onGone: () => void;
}

/** The ID of the kept input of a message that is edited. */
function messageInputId(threadId: string, messageId: number): string {
  return `message/${threadId}/${messageId}`;
}

function Message({ thread, message, onWritten, onGone }: MessageProps) {
  const [isEditing, setEditing] = useState(() => hasKeptInput(messageInputId(thread.id, message.id)));
  const [isDeleting, setDeleting] = useState(false);
  const avatarOf = useUserAvatar();
  const userId = useSession((state) => state.user?.id);
  const isOwner = useWorkspace((state) => state.rows?.workspace.myRole === 'owner');
  const { author, text, mentions, createdAt, editedAt, id } = message;
  const isOwn = author?.id === userId && author !== null;
  const name = authorName(message);
  const editButton = useFocusAgain(isEditing);
  const { workspaceId } = thread;
  const remove = async () => {
    await deleteThreadMessage(workspaceId, thread.id, id);
    if (thread.messageCount === 1) onGone();
    await onWritten();
  };
  return (
    <li className={styles.message} data-message={id}>
      <div className={styles.author}>
        {author ? (
          <Avatar {...avatarOf(author)} size="small" />
        ) : (
          <Avatar of={name} name={name} size="small" />
        )}
        <strong>{name}</strong>
        <small>
          <RelativeTime time={createdAt} />
          {editedAt !== undefined && ' (edited)'}
        </small>
        <span className={styles.tools}>
          {isOwn && !isEditing && (
            <IconButton
              label="Edit message"
              icon={<Pencil size={15} aria-hidden />}
              ref={editButton}
              onClick={() => setEditing(true)}
            />
          )}
          {(isOwn || isOwner) && (
            <IconButton
              label="Delete message"
              icon={<Trash2 size={15} aria-hidden />}
              onClick={() => setDeleting(true)}
            />
          )}
        </span>
      </div>
      {isEditing ? (
        <Composer
          label="Message"
          inputId={messageInputId(thread.id, id)}
          value={text}
          submitLabel="Save message"
          autoFocus
          onSubmit={async (edited) => {
            await updateThreadMessage(workspaceId, thread.id, id, { text: edited });
            setEditing(false);
            await onWritten();
          }}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <CommentText text={text} mentions={mentions} />
      )}
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title="Delete message"
        confirm="Delete message"
        onConfirm={remove}
      >
        <p>
          {thread.messageCount === 1
            ? 'This is the only message, so its thread is deleted too.'
            : 'The other messages of the thread are kept.'}
        </p>
      </ConfirmDialog>
    </li>
  );
}

function DeleteThread({ thread, onWritten, onGone }: Omit<MessageProps, 'message'>) {
  const [isOpen, setOpen] = useState(false);
  const isOwner = useWorkspace((state) => state.rows?.workspace.myRole === 'owner');
  // With a single message, deleting it deletes the thread.
  if (!isOwner || thread.messageCount === 1) return null;
  const remove = async () => {
    await deleteThread(thread.workspaceId, thread.id);
    onGone();
    await onWritten();
  };
  return (
    <div>
      <Button kind="danger" icon={<Trash2 size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Delete thread
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Delete thread"
        confirm="Delete thread"
        onConfirm={remove}
      >
        <p>All {thread.messageCount} messages are deleted for everyone.</p>
      </ConfirmDialog>
    </div>
  );
}
