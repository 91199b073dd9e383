/** The processes screen: the list, and the process in the URL with text, diagram and participants. */
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useOrgSlug, useSegment, workspacePath } from '@/routing/paths';
import list from '@/ui/ListDetail.module.css';
import { useWorkspace } from '@/workspace/store';
import { discardDraft } from './drafts';
import { editorKey, otherIdOf } from './newProcesses';
import { NoProcess, ProcessNotFound } from './Placeholders';
import { ProcessEditor } from './ProcessEditor';
import styles from './Processes.module.css';
import { ProcessList } from './ProcessList';

export default function Processes() {
  const processId = useSegment(5) ?? '';
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const exists = useWorkspace((state) => state.rows?.process.has(processId) ?? false);
  useRedirectToOtherId(workspaceId, processId);
  const some = useWorkspace((state) => (state.rows?.process.size ?? 0) > 0);
  return (
    <div className={list.screen} data-open={processId ? true : undefined}>
      <ProcessList current={processId} />
      <section className={`${list.work} ${styles.work}`} aria-label="Process">
        {exists ? (
          <ProcessEditor
            key={editorKey(workspaceId, processId)}
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

/** After the renaming of a new process was undone, the process has its previous ID again. */
function useRedirectToOtherId(workspaceId: string, processId: string): void {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  const other = useWorkspace((state) => {
    const { rows } = state;
    if (!rows || rows.process.has(processId)) return undefined;
    return otherIdOf(processId, (id) => rows.process.has(id));
  });
  useEffect(() => {
    if (other === undefined) return;
    discardDraft(processId);
    navigate(workspacePath(slug, workspaceId, 'processes', other), { replace: true });
  }, [other, processId, workspaceId, slug, navigate]);
}
