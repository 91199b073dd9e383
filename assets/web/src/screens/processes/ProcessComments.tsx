/** The comments on a process and its messages. */
import { ArrowLeft, MessageSquare, MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { countsOf } from '@/core/comments/overview';
import { useCommentOverview } from '@/data/comments';
import styles from '@/screens/comments/Comments.module.css';
import { NewThreadForm } from '@/screens/comments/NewThreadForm';
import { ThreadList } from '@/screens/comments/ThreadList';
import { ThreadView } from '@/screens/comments/ThreadView';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { useProcessReading } from './useProcess';

interface Props {
  workspaceId: string;
  processId: string;
}

export function ProcessComments({ workspaceId, processId }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { data: overview } = useCommentOverview(workspaceId);
  const open = countsOf(overview, 'process', processId)?.open ?? 0;
  return (
    <>
      <Button icon={<MessageSquare size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Comments{open > 0 && ` (${open.toLocaleString('en')})`}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Comments on this process">
        <Contents
          workspaceId={workspaceId}
          processId={processId}
          canComment={overview?.canComment ?? false}
        />
      </Dialog>
    </>
  );
}

function Contents({ workspaceId, processId, canComment }: Props & { canComment: boolean }) {
  const [shown, setShown] = useState<{ threadId: string } | 'new' | 'list'>('list');
  const steps = useProcessReading(processId)?.steps ?? [];
  const list = () => setShown('list');
  if (shown === 'list') {
    return (
      <div className={styles.body}>
        {canComment && (
          <div>
            <Button
              kind="main"
              icon={<MessageSquarePlus size={16} aria-hidden />}
              onClick={() => setShown('new')}
            >
              Comment on process
            </Button>
          </div>
        )}
        <ThreadList
          workspaceId={workspaceId}
          filter={{ anchorType: 'process', anchorId: processId }}
          withAnchors={false}
          onOpen={({ id }) => setShown({ threadId: id })}
        />
      </div>
    );
  }
  return (
    <div className={styles.body}>
      <div>
        <Button icon={<ArrowLeft size={16} aria-hidden />} onClick={list}>
          All comments
        </Button>
      </div>
      {shown === 'new' ? (
        <NewThreadForm
          workspaceId={workspaceId}
          anchor={{ type: 'process', id: processId }}
          steps={steps.map(({ text }) => text)}
          autoFocus
          onCreated={({ id }) => setShown({ threadId: id })}
          onCancel={list}
        />
      ) : (
        <ThreadView
          workspaceId={workspaceId}
          threadId={shown.threadId}
          canComment={canComment}
          onGone={list}
        />
      )}
    </div>
  );
}
