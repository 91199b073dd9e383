/** Creates and deletes processes. */
import { useLocation } from 'wouter';
import type { Process } from '@/api/generated';
import { nameProblem, textProblem } from '@/core/model/validation';
import { type ProcessContent, processContent } from '@/core/process/draft';
import { equalNameFinder } from '@/core/process/matchParticipants';
import { newProcessId, STARTING_PARTICIPANTS, STARTING_TEXT } from '@/core/process/newProcess';
import { processTextProblem } from '@/core/process/source';
import type { Rows } from '@/core/sync/rows';
import { useOrgSlug, workspacePath } from '@/routing/paths';
import { edit, useWorkspace } from '@/workspace/store';
import { showUndoToast } from '@/workspace/undo';
import { discardDraft, draftOf, saveDraft, syncDraft } from './drafts';
import { isNew, markNew, replaceNew } from './newProcesses';

type NewProcess = Omit<ProcessContent, 'name'>;

/** A valid example text. Its participants are mapped to components with the same names. */
function startingContent(components: Rows['component']): NewProcess {
  const find = equalNameFinder(components.values());
  const mapped = STARTING_PARTICIPANTS.flatMap(({ alias, name }) => {
    const id = find(name);
    return id === undefined ? [] : [[alias, id]];
  });
  return { description: '', mermaid: STARTING_TEXT, participants: Object.fromEntries(mapped) };
}

/** The operation that creates a process, with an unused ID derived from its name. `replaced` is deleted with it. */
function creation(rows: Rows, name: string, content: NewProcess, replaced?: string) {
  const id = newProcessId(name, (candidate) => candidate !== replaced && rows.process.has(candidate));
  const { description, mermaid, participants } = content;
  const known = Object.entries(participants).filter(([, component]) => rows.component.has(component));
  const fields = {
    name: name.trim() || 'Process',
    mermaid,
    participants: Object.fromEntries(known),
    ...(description ? { description } : {}),
  };
  return { op: 'create', kind: 'process', id, fields } as const;
}

/** Creates a process. Returns its ID; undefined if no workspace is open. */
export function createProcess(name: string, content?: NewProcess): string | undefined {
  const { rows } = useWorkspace.getState();
  if (!rows) return undefined;
  const create = creation(rows, name, content ?? startingContent(rows.component));
  edit(`Add process “${create.fields.name}”`, [create]);
  return create.id;
}

/** Creates a process with the given name and, by default, a valid example text, and opens it. */
export function useCreateProcess(): (name: string, content?: NewProcess) => void {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  return (name, content) => {
    const id = createProcess(name, content);
    if (id === undefined) return;
    markNew(id);
    navigate(workspacePath(slug, useWorkspace.getState().workspaceId, 'processes', id));
  };
}

/**
 * Saves the name of a new process. IDs cannot change, so a new process whose ID would not follow its name is created
 * again with another ID, in one change set. Until its editor is left, no links to it exist.
 */
export function useRenameNewProcess(): (processId: string) => void {
  const [, navigate] = useLocation();
  const slug = useOrgSlug();
  return (processId) => {
    const { rows, workspaceId } = useWorkspace.getState();
    const [row, draft] = [rows?.process.get(processId), draftOf(processId)];
    if (!rows || !row || !draft || !isNew(processId)) return saveDraft(processId);
    const { name, ...content } = draft.mine;
    const isInvalid =
      nameProblem(name) ??
      textProblem(content.description) ??
      (processTextProblem(content.mermaid) || undefined);
    const create = creation(rows, name, content, processId);
    if (isInvalid || create.id === processId || Object.keys(draft.theirs).length > 0)
      return saveDraft(processId);
    discardDraft(processId);
    edit(`Rename process “${row.name}”`, [
      {
        op: 'delete',
        kind: 'process',
        id: processId,
        base: row.revision,
        fields: { ...processContent(row) },
      },
      create,
    ]);
    replaceNew(processId, create.id);
    syncDraft(create.id);
    navigate(workspacePath(slug, workspaceId, 'processes', create.id), { replace: true });
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
