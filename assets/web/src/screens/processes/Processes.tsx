/** The processes screen: the list, and the process in the URL with text, diagram and participants. */
import { useSegment } from '@/routing/paths';
import { useWorkspace } from '@/workspace/store';
import { NoProcess, ProcessNotFound } from './Placeholders';
import { ProcessEditor } from './ProcessEditor';
import styles from './Processes.module.css';
import { ProcessList } from './ProcessList';

export default function Processes() {
  const processId = useSegment(5) ?? '';
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const exists = useWorkspace((state) => state.rows?.process.has(processId) ?? false);
  const some = useWorkspace((state) => (state.rows?.process.size ?? 0) > 0);
  return (
    <div className={styles.screen} data-open={processId ? true : undefined}>
      <ProcessList current={processId} />
      <section className={styles.work} aria-label="Process">
        {exists ? (
          <ProcessEditor
            key={`${workspaceId}/${processId}`}
            workspaceId={workspaceId}
            processId={processId}
          />
        ) : processId ? (
          <ProcessNotFound workspaceId={workspaceId} processId={processId} />
        ) : (
          <NoProcess some={some} />
        )}
      </section>
    </div>
  );
}
