/** The current location, for actions, which cannot use router hooks because they are not React components. */
import { currentPath } from '@/api/base';
import { useSession } from '@/api/session';
import { navigate } from '@/routing/location';
import { segmentsOf, workspacePath } from '@/routing/paths';
import { useWorkspace } from '@/workspace/store';
import { showInspector } from './panels';
import { setSelection, useView } from './view';

/** The organization and workspace in the URL. Outside of an organization, the active organization. */
export function currentLocation(): { org: string; workspace: string | undefined; rest: string } {
  const [first, org = '', mark, workspace, ...rest] = segmentsOf(currentPath());
  if (first !== 'o') {
    return { org: useSession.getState().session?.orgSlug ?? '', workspace: undefined, rest: '' };
  }
  return { org, workspace: mark === 'w' ? workspace : undefined, rest: rest.join('/') };
}

/** Whether the workspace in the URL is open. */
export function isWorkspaceOpen(): boolean {
  const { workspaceId, status } = useWorkspace.getState();
  return status === 'ready' && currentLocation().workspace === workspaceId;
}

/** Whether the map is shown, itself or through a view. */
export function isMapOpen(): boolean {
  return isWorkspaceOpen() && isMapScreen(currentLocation().rest);
}

/** Whether the rest of the path after the workspace is that of the map or of a view. */
export function isMapScreen(rest: string): boolean {
  return rest === '' || rest.startsWith('v/');
}

/** The URL of a screen of the open workspace. */
export function openWorkspacePath(...rest: string[]): string {
  const { org, workspace = '' } = currentLocation();
  return workspacePath(org, workspace, ...rest);
}

/** The URL of the map as it is open: itself, or through a view. On other screens, that of the map itself. */
export function openMapPath(): string {
  return isMapScreen(currentLocation().rest) ? currentPath() : openWorkspacePath();
}

/** Called when a component is shown on the map or in a view, which may not contain it. */
export const missingListener = { notify: (_id: string): void => {} };

/** Selects a component and pans it into view, from any screen of the workspace. */
export function showComponent(id: string): void {
  setSelection([id]);
  showInspector();
  if (isMapOpen()) {
    useView.getState().camera?.reveal(id);
    missingListener.notify(id);
    return;
  }
  // When the map opens, it selects the items in its URL.
  navigate(`${openWorkspacePath()}?${new URLSearchParams({ c: id })}`);
}
