/** The processes screen: the list, and the process in the URL with text, diagram and participants. */
import { useSegment } from '@/app/paths';
import { usePlan } from '@/plan/store';
import { Gone, Nothing } from './Placeholders';
import { ProcessEditor } from './ProcessEditor';
import styles from './Processes.module.css';
import { ProcessList } from './ProcessList';

export default function Processes() {
  const processId = useSegment(5) ?? '';
  const workspaceId = usePlan((plan) => plan.workspaceId);
  const exists = usePlan((plan) => plan.rows?.process.has(processId) ?? false);
  const some = usePlan((plan) => (plan.rows?.process.size ?? 0) > 0);
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
          <Gone workspaceId={workspaceId} processId={processId} />
        ) : (
          <Nothing some={some} />
        )}
      </section>
    </div>
  );
}
