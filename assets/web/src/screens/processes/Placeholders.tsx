/** Where no process is shown: why, and what to do. */
import { Plus, Workflow } from 'lucide-react';
import { useLocation } from 'wouter';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { useWorkspace } from '@/workspace/store';
import { discardDraft, useDraft } from './drafts';
import styles from './Processes.module.css';
import { useCreateProcess } from './useProcessActions';

/** None is chosen, or there is none. */
export function NoProcess({ some }: { some: boolean }) {
  const create = useCreateProcess();
  return (
    <EmptyState
      title={some ? 'Choose a process' : 'How does it work, step by step?'}
      icon={<Workflow size={36} aria-hidden />}
    >
      <p>
        A process is a story of the system: who asks whom for what, in which order. You write it as a sequence
        diagram, say which component each participant is, and play it over the map.
      </p>
      <Button kind="main" icon={<Plus size={18} aria-hidden />} onClick={() => create('New process')}>
        {some ? 'New process' : 'Write the first process'}
      </Button>
    </EmptyState>
  );
}

/** The one in the address is not there. What was typed into it may be. */
export function ProcessNotFound({ workspaceId, processId }: { workspaceId: string; processId: string }) {
  const draft = useDraft(workspaceId, processId);
  const create = useCreateProcess();
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const isReady = useWorkspace((state) => state.status === 'ready');
  if (!isReady) return null;
  const home = workspacePath(slug, workspaceId, 'processes');
  if (!draft) {
    return (
      <div className={styles.nothing}>
        <h2>There is no such process</h2>
        <p>It was deleted, or the address is mistyped. Choose another from the list.</p>
      </div>
    );
  }
  const again = () => {
    discardDraft(processId);
    create(draft.mine.name, draft.mine);
  };
  const leave = () => {
    discardDraft(processId);
    navigate(home);
  };
  return (
    <EmptyState title={`“${draft.mine.name}” was deleted`}>
      <p>Its text is still here, as you last saw it. You can keep it as a new process.</p>
      <div className={styles.row}>
        <Button kind="main" onClick={again}>
          Keep it as a new process
        </Button>
        <Button onClick={leave}>Let it go</Button>
      </div>
      <pre className={styles.left}>{draft.mine.mermaid}</pre>
    </EmptyState>
  );
}
