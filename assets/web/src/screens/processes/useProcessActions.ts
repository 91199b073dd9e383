/** Creates and deletes processes. */
import { useLocation } from 'wouter';
import type { Process } from '@/api/generated';
import { type ProcessContent, processContent } from '@/core/process/draft';
import { newProcessId, STARTING_TEXT } from '@/core/process/newProcess';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { edit, useWorkspace } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';
import { discardDraft } from './drafts';

const BEGINNING: Omit<ProcessContent, 'name'> = { description: '', mermaid: STARTING_TEXT, participants: {} };

/** Creates a process with the given name and, by default, a valid example text, and opens it. */
export function useCreateProcess(): (name: string, content?: Omit<ProcessContent, 'name'>) => void {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  return (name, { description, mermaid, participants } = BEGINNING) => {
    const { rows, workspaceId } = useWorkspace.getState();
    if (!rows) return;
    const id = newProcessId(name, (candidate) => rows.process.has(candidate));
    const known = Object.entries(participants).filter(([, component]) => rows.component.has(component));
    const fields = {
      name: name.trim() || 'Process',
      mermaid,
      participants: Object.fromEntries(known),
      ...(description ? { description } : {}),
    };
    edit(`Add process “${fields.name}”`, [{ op: 'create', kind: 'process', id, fields }]);
    navigate(`${workspacePath(slug, workspaceId, 'processes', id)}`);
  };
}

/** Deletes a process and shows a toast with Undo. */
export function useDeleteProcess(): (process: Process) => void {
  const [path, navigate] = useLocation();
  const slug = useOrgSlug();
  return (process) => {
    const { workspaceId } = useWorkspace.getState();
    const processUrl = workspacePath(slug, workspaceId, 'processes', process.id);
    discardDraft(process.id);
    const id = edit(`Delete process “${process.name}”`, [
      {
        op: 'delete',
        kind: 'process',
        id: process.id,
        base: process.revision,
        fields: { ...processContent(process) },
      },
    ]);
    if (path === processUrl) navigate(workspacePath(slug, workspaceId, 'processes'));
    showUndoToast(`Deleted “${process.name}”`, id);
  };
}
