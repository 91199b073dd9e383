/** Creates and deletes processes. */
import { useLocation } from 'wouter';
import type { Process } from '@/api/generated';
import { useOrgSlug, workspacePath } from '@/app/paths';
import { processId, STARTING_TEXT } from '@/core/process/begin';
import { type Content, contentOf } from '@/core/process/draft';
import { edit, usePlan } from '@/plan/store';
import { sayDone } from '@/plan/undo';
import { discard } from './drafts';

const BEGINNING: Omit<Content, 'name'> = { description: '', mermaid: STARTING_TEXT, participants: {} };

/** Creates a process with the given name and a valid example text by default, and opens it. */
export function useCreate(): (name: string, content?: Omit<Content, 'name'>) => void {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  return (name, { description, mermaid, participants } = BEGINNING) => {
    const { rows, workspaceId } = usePlan.getState();
    if (!rows) return;
    const id = processId(name, (one) => rows.process.has(one));
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
export function useDelete(): (process: Process) => void {
  const [path, navigate] = useLocation();
  const slug = useOrgSlug();
  return (process) => {
    const { workspaceId } = usePlan.getState();
    const here = workspacePath(slug, workspaceId, 'processes', process.id);
    discard(process.id);
    const id = edit(`Delete process “${process.name}”`, [
      {
        op: 'delete',
        kind: 'process',
        id: process.id,
        base: process.revision,
        fields: { ...contentOf(process) },
      },
    ]);
    if (path === here) navigate(workspacePath(slug, workspaceId, 'processes'));
    sayDone(`Deleted “${process.name}”`, id);
  };
}
