/** Makes and deletes processes. */
import { useLocation } from 'wouter';
import type { Process } from '@/api/generated';
import { useOrgSlug, workspacePath } from '@/app/paths';
import { processId, STARTING_TEXT } from '@/core/process/begin';
import { type Content, contentOf } from '@/core/process/draft';
import { edit, usePlan } from '@/plan/store';
import { undo } from '@/plan/undo';
import { complain, say } from '@/ui/Toasts';
import { discard, send } from './drafts';

const BEGINNING: Omit<Content, 'name'> = { description: '', mermaid: STARTING_TEXT, participants: {} };

/** Makes a process of that name, with a text that works unless another is given, and goes to it. */
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
    send();
    navigate(`${workspacePath(slug, workspaceId, 'processes', id)}`);
  };
}

/** Deletes a process. What is undone last comes back first. */
export function useDelete(): (process: Process) => void {
  const [path, navigate] = useLocation();
  const slug = useOrgSlug();
  return (process) => {
    const { workspaceId } = usePlan.getState();
    const here = workspacePath(slug, workspaceId, 'processes', process.id);
    discard(process.id);
    const batch = edit(`Delete process “${process.name}”`, [
      {
        op: 'delete',
        kind: 'process',
        id: process.id,
        base: process.revision,
        fields: { ...contentOf(process) },
      },
    ]);
    send();
    if (path === here) navigate(workspacePath(slug, workspaceId, 'processes'));
    say(`“${process.name}” is deleted.`, {
      label: 'Undo',
      run: () => {
        // Only what was done last can be taken back; anything after it goes by the usual way.
        if (usePlan.getState().done.at(-1)?.batch === batch) undo().catch(complain);
        else say('Something was done after it: undo that first.');
      },
    });
  };
}
