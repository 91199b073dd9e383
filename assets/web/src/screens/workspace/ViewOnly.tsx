/** Indicates in the bar that the user has view-only access, and lets them request edit access. */
import { Eye, GitPullRequestDraft } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '@/api/errors';
import { deleteAccessRequest, requestAccess } from '@/api/generated';
import { useSession } from '@/api/session';
import { MAX_MESSAGE_CHARS } from '@/core/limits';
import { useCommentOverview } from '@/data/comments';
import { Alert } from '@/ui/Alert';
import { Button } from '@/ui/Button';
import { TextArea } from '@/ui/Field';
import { Popover } from '@/ui/Popover';
import { RelativeTime } from '@/ui/RelativeTime';
import { useAction } from '@/ui/useAction';
import { useSubmit } from '@/ui/useSubmit';
import { requestDraft, useBaseId } from '@/workspace/draftRequest';
import { setReaderFields, useWorkspace } from '@/workspace/store';
import styles from './workspace.module.css';

export function ViewOnly() {
  const workspace = useWorkspace((state) => state.rows?.workspace);
  const requestedAt = workspace?.accessRequestedAt;
  const canComment = useCommentOverview(workspace?.id ?? '').data?.canComment ?? false;
  const isDraft = useBaseId() !== undefined;
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      title="View only"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button kind="quiet" className={styles.state} data-tone="plain" icon={<Eye size={17} aria-hidden />}>
          View only
        </Button>
      }
    >
      {isDraft ? (
        <p>
          Only the author of a draft and editors of the workspace can change it, until it is merged or closed.
        </p>
      ) : (
        <p>You can view this workspace but not change it.</p>
      )}
      {canComment && (
        <p>To ask a question or to say that the map is wrong, choose “Comment” in the toolbar.</p>
      )}
      {!isDraft && (
        <>
          <p>To propose a change, start a draft. It is a copy of the map that you can edit.</p>
          <div className={styles.buttons}>
            <Button
              kind="main"
              icon={<GitPullRequestDraft size={16} aria-hidden />}
              onClick={() => {
                setOpen(false);
                requestDraft();
              }}
            >
              Propose a change
            </Button>
          </div>
        </>
      )}
      {!isDraft && workspace && requestedAt === undefined && <RequestForm id={workspace.id} />}
      {!isDraft && workspace && requestedAt !== undefined && <Requested id={workspace.id} at={requestedAt} />}
    </Popover>
  );
}

function RequestForm({ id }: { id: string }) {
  const [message, setMessage] = useState('');
  const { busy, problem, submit } = useSubmit(['message'], async () => {
    const { accessRequest } = await requestAccess(id, message.trim() ? { message: message.trim() } : {});
    setReaderFields(id, { accessRequestedAt: accessRequest.requestedAt });
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextArea
        label="Message to the owners"
        hint="Optional"
        rows={3}
        maxLength={MAX_MESSAGE_CHARS}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
        problem={problem('message')}
      />
      <Alert text={problem()} />
      <div className={styles.buttons}>
        <Button type="submit" busy={busy}>
          Request edit access
        </Button>
      </div>
    </form>
  );
}

function Requested({ id, at }: { id: string; at: number }) {
  const userId = useSession((state) => state.user?.id);
  const { busy, error, run } = useAction();
  const withdraw = async () => {
    if (userId === undefined) return;
    await deleteAccessRequest(id, userId);
    setReaderFields(id, { accessRequestedAt: undefined });
  };
  return (
    <div className={styles.form}>
      <p>
        You requested edit access <RelativeTime time={at} />. An owner has to grant it.
      </p>
      <Alert text={error ? errorText(error) : undefined} />
      <div className={styles.buttons}>
        <Button busy={busy} onClick={() => run(withdraw)}>
          Withdraw request
        </Button>
      </div>
    </div>
  );
}
