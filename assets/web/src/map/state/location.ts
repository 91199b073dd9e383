/** Where the window is, for actions: they are no components and know no routes. */
import { navigate } from 'wouter/use-browser-location';
import { useSession } from '@/api/session';
import { segmentsOf, workspacePath } from '@/routing/paths';
import { usePlan } from '@/workspace/store';
import { select, useView } from './view';

/** The organization and workspace in the address; on pages that are of no organization, the one that is active. */
export function place(): { org: string; workspace: string | undefined; rest: string } {
  const [first, org = '', mark, workspace, ...rest] = segmentsOf(location.pathname);
  if (first !== 'o') {
    return { org: useSession.getState().session?.orgSlug ?? '', workspace: undefined, rest: '' };
  }
  return { org, workspace: mark === 'w' ? workspace : undefined, rest: rest.join('/') };
}

/** Whether a workspace is open and here. */
export function inPlan(): boolean {
  const { workspaceId, status } = usePlan.getState();
  return status === 'ready' && place().workspace === workspaceId;
}

/** Whether the map is what is seen. */
export function onMap(): boolean {
  return inPlan() && place().rest === '';
}

/** The address of a screen of the open workspace. */
export function planPath(...rest: string[]): string {
  const { org, workspace = '' } = place();
  return workspacePath(org, workspace, ...rest);
}

/** Selects a component on the map and brings it into view, from whichever screen of the workspace. */
export function showComponent(id: string): void {
  useView.setState({ inspectorOpen: true, historyOpen: false });
  select([id]);
  if (onMap()) {
    useView.getState().camera?.reveal(id);
    return;
  }
  // The map selects what its address names, whenever it opens.
  navigate(`${planPath()}?${new URLSearchParams({ c: id })}`);
}

/** The address that brings others to a component (`c`) or relationship (`r`). */
export function linkTo(kind: 'component' | 'relationship', id: string): string {
  const query = new URLSearchParams({ [kind === 'component' ? 'c' : 'r']: id });
  return `${location.origin}${planPath()}?${query}`;
}
