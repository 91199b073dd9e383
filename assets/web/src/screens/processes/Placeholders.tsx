/** Placeholders with instructions, shown where there is no process. */
import { CircleDot, Workflow } from 'lucide-react';
import { useLocation } from 'wouter';
import { openRecording } from '@/map/state/recording';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { Button } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { useCanEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { discardDraft, useDraft } from './drafts';
import { NewProcess } from './NewProcess';
import styles from './Processes.module.css';
import { useCreateProcess } from './useProcessActions';

/** No process is selected, or none exists. */
export function NoProcess({ some }: { some: boolean }) {
  const canEdit = useCanEdit();
  return (
    <EmptyState
      title={some ? 'Select a process' : 'No processes yet'}
      icon={<Workflow size={36} aria-hidden />}
    >
      <p>
        A process is a sequence diagram whose participants are components on the map. Write it as text, map
        its participants to components, then play it on the map. Or record it by clicking components on the
        map.
      </p>
      <div className={styles.row}>
        <NewProcess kind="main" text="New process" />
        {canEdit && (
          <Button icon={<CircleDot size={16} aria-hidden />} onClick={() => openRecording()}>
            Record on map
          </Button>
        )}
      </div>
    </EmptyState>
  );
}

/** The process in the URL does not exist, but there may be a draft of it. */
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
        <h2>Process not found</h2>
        <p>It was deleted, or the URL is mistyped. Select another process from the list.</p>
      </div>
    );
  }
  const recreate = () => {
    discardDraft(processId);
    create(draft.mine.name, draft.mine);
  };
  const leave = () => {
    discardDraft(processId);
    navigate(home);
  };
  return (
    <EmptyState title={`“${draft.mine.name}” was deleted`}>
      <p>Your last version of the text is still in this browser. You can save it as a new process.</p>
      <div className={styles.row}>
        <Button kind="main" onClick={recreate}>
          Save as new process
        </Button>
        <Button onClick={leave}>Discard text</Button>
      </div>
      <pre className={styles.left}>{draft.mine.mermaid}</pre>
    </EmptyState>
  );
}
