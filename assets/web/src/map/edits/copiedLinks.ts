/**
 * Links of pasted components. They are not part of the rows, so they are loaded from the originals and added afterward.
 */
import { applyOperations, type Link, listLinks } from '@/api/generated';
import { useSession } from '@/api/session';
import { limitConcurrency } from '@/core/concurrency';
import { formatCount } from '@/core/text';
import { queryClient, queryKeys } from '@/data/queries';
import { showError, showToast } from '@/ui/Toasts';
import { recordUndoStep, useWorkspace } from '@/workspace/store';

/** Limits the number of requests, since links are loaded per component. */
const MAX_COMPONENTS = 100;
const MAX_REQUESTS = 4;

interface CopiedLink {
  componentId: string;
  url: string;
  kind: Link['kind'];
}

/** Copies the links of the originals in the workspace `source`. `copies` maps IDs of originals to IDs of copies. */
export async function copyLinks(source: string, copies: ReadonlyMap<string, string>): Promise<void> {
  const { workspaceId } = useWorkspace.getState();
  const read = [...copies].slice(0, MAX_COMPONENTS);
  const limited = limitConcurrency(MAX_REQUESTS);
  const lists = await Promise.all(
    read.map(([original, componentId]) => limited(() => linksOf(source, original, componentId))),
  );
  const links = lists.flat();
  if (links.length === 0 || !(await whenSaved(workspaceId, [...copies.values()]))) return;
  try {
    const { changeSetId } = await add(workspaceId, links);
    recordUndoStep({ id: changeSetId, changeSetId, label: `Copy ${formatCount(links.length, 'link')}` });
    const orgId = useSession.getState().session?.orgId ?? '';
    for (const { componentId } of links) {
      void queryClient.invalidateQueries({ queryKey: queryKeys.links(orgId, workspaceId, componentId) });
    }
    if (copies.size > MAX_COMPONENTS)
      showToast(`Copied the links of the first ${MAX_COMPONENTS} components.`);
  } catch (error) {
    showError(error);
  }
}

/** The links of one original; empty if it was deleted or its workspace is not accessible. */
async function linksOf(source: string, original: string, componentId: string): Promise<CopiedLink[]> {
  const { links } = await listLinks(source, original).catch(() => ({ links: [] }));
  return links.map(({ url, kind }) => ({ componentId, url, kind }));
}

/** Adds links. Wiki pages that this organization cannot access become plain links. */
async function add(workspaceId: string, links: readonly CopiedLink[]) {
  const operations = (plain: boolean) =>
    links.map((link) => ({
      op: 'create' as const,
      kind: 'link' as const,
      row: plain ? { ...link, kind: 'url' as const } : link,
    }));
  if (links.every(({ kind }) => kind === 'url')) {
    return applyOperations(workspaceId, { operations: operations(true) });
  }
  return applyOperations(workspaceId, { operations: operations(false) }).catch(() =>
    applyOperations(workspaceId, { operations: operations(true) }),
  );
}

/**
 * Waits until the components are on the server. Resolves to false if they were undone or the workspace was closed
 * first.
 */
function whenSaved(workspaceId: string, ids: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const check = (): boolean => {
      const { workspaceId: current, rows, serverRows } = useWorkspace.getState();
      const isGone = current !== workspaceId || !ids.every((id) => rows?.component.has(id));
      const isSaved = ids.every((id) => serverRows?.component.has(id));
      if (isGone || isSaved) resolve(!isGone);
      return isGone || isSaved;
    };
    if (check()) return;
    const stop = useWorkspace.subscribe(() => {
      if (check()) stop();
    });
  });
}
