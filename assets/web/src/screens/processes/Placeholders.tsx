/** Shown where there is no process, with what to do. */
import { Plus, Workflow } from 'lucide-react';
import { useLocation } from 'wouter';
import { useOrgSlug, workspacePath } from '@/app/paths';
import { usePlan } from '@/plan/store';
import { Button } from '@/ui/Button';
import { Empty } from '@/ui/Empty';
import { discard, useDraft } from './drafts';
import styles from './Processes.module.css';
import { useCreate } from './useCreate';

/** No process is selected, or none exists. */
export function Nothing({ some }: { some: boolean }) {
  const create = useCreate();
  return (
    <Empty title={some ? 'Select a process' : 'No processes yet'} icon={<Workflow size={36} aria-hidden />}>
      <p>
        A process is a sequence diagram whose participants are components on the map. Write it as text, map
        its participants to components, then play it on the map.
      </p>
      <Button kind="main" icon={<Plus size={18} aria-hidden />} onClick={() => create('New process')}>
        {some ? 'New process' : 'Create process'}
      </Button>
    </Empty>
  );
}

/** The process in the URL does not exist. A draft of it may. */
export function Gone({ workspaceId, processId }: { workspaceId: string; processId: string }) {
  const draft = useDraft(workspaceId, processId);
  const create = useCreate();
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const isReady = usePlan((plan) => plan.status === 'ready');
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
  const again = () => {
    discard(processId);
    create(draft.mine.name, draft.mine);
  };
  const leave = () => {
    discard(processId);
    navigate(home);
  };
  return (
    <Empty title={`“${draft.mine.name}” was deleted`}>
      <p>Your last version of the text is still in this browser. You can save it as a new process.</p>
      <div className={styles.row}>
        <Button kind="main" onClick={again}>
          Save as new process
        </Button>
        <Button onClick={leave}>Discard text</Button>
      </div>
      <pre className={styles.left}>{draft.mine.mermaid}</pre>
    </Empty>
  );
}
