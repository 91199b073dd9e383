/** Where the window is, for actions: they are no components and know no routes. */
import { navigate } from 'wouter/use-browser-location';
import { useSession } from '@/api/session';
import { segmentsOf, workspacePath } from '@/routing/paths';
import { useWorkspace } from '@/workspace/store';
import { setSelection, useView } from './view';

/** The organization and workspace in the address; on pages that are of no organization, the one that is active. */
export function currentLocation(): { org: string; workspace: string | undefined; rest: string } {
  const [first, org = '', mark, workspace, ...rest] = segmentsOf(location.pathname);
  if (first !== 'o') {
    return { org: useSession.getState().session?.orgSlug ?? '', workspace: undefined, rest: '' };
  }
  return { org, workspace: mark === 'w' ? workspace : undefined, rest: rest.join('/') };
}

/** Whether a workspace is open and here. */
export function isWorkspaceOpen(): boolean {
  const { workspaceId, status } = useWorkspace.getState();
  return status === 'ready' && currentLocation().workspace === workspaceId;
}

/** Whether the map is what is seen. */
export function isMapOpen(): boolean {
  return isWorkspaceOpen() && currentLocation().rest === '';
}

/** The address of a screen of the open workspace. */
export function openWorkspacePath(...rest: string[]): string {
  const { org, workspace = '' } = currentLocation();
  return workspacePath(org, workspace, ...rest);
}

/** Selects a component on the map and brings it into view, from whichever screen of the workspace. */
export function showComponent(id: string): void {
  useView.setState({ inspectorOpen: true, historyOpen: false });
  setSelection([id]);
  if (isMapOpen()) {
    useView.getState().camera?.reveal(id);
    return;
  }
  // The map selects what its address names, whenever it opens.
  navigate(`${openWorkspacePath()}?${new URLSearchParams({ c: id })}`);
}

/** The address that brings others to a component (`c`) or relationship (`r`). */
export function shareUrl(kind: 'component' | 'relationship', id: string): string {
  const query = new URLSearchParams({ [kind === 'component' ? 'c' : 'r']: id });
  return `${location.origin}${openWorkspacePath()}?${query}`;
}
