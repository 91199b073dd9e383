/** Opens views: recently opened ones, and the way that led to a view through components that open others. */

import { create } from 'zustand';
import { truncate } from '@/core/text';
import { openedView } from '@/core/views/opens';
import { navigate } from '@/routing/location';
import { showToast } from '@/ui/Toasts';
import { useWorkspace } from '@/workspace/store';
import { missingListener, openWorkspacePath } from './location';
import { viewAddress } from './openView';
import { setSelection } from './view';
import { viewContents } from './viewContents';

/** The address of the map itself in a trail. */
export const MAP_ADDRESS = '';

/** How the open view was reached. */
interface Trail {
  /** The address that the trail leads to. It is valid only while that view is open. */
  to: string | null;
  /** The views on the way, outermost first. The map itself is an empty address. */
  from: readonly string[];
}

export const useTrail = create<Trail>()(() => ({ to: null, from: [] }));

/** Maximum number of steps back. */
const MAX_TRAIL = 20;

export function viewPath(address: string | null): string {
  return address === null || address === MAP_ADDRESS ? openWorkspacePath() : openWorkspacePath('v', address);
}

/** Opens a view; null for the map itself. */
export function goToView(address: string | null, query = ''): void {
  useTrail.setState({ to: null, from: [] });
  go(address, query);
}

function go(address: string | null, query = ''): void {
  setSelection([]);
  navigate(`${viewPath(address)}${query}`);
}

/** Opens the view that explains a component, so that breadcrumbs lead back. */
export function drillDown(address: string): void {
  const here = viewAddress() ?? MAP_ADDRESS;
  const { to, from } = useTrail.getState();
  const before = to === here ? from : [];
  useTrail.setState({ to: address, from: [...before, here].slice(-MAX_TRAIL) });
  go(address);
}

/** The view that a component opens, except the one that is open. */
export function viewOf(componentId: string): string | undefined {
  const { rows } = useWorkspace.getState();
  const id = openedView(rows?.component.get(componentId), rows)?.id;
  return id === viewAddress() ? undefined : id;
}

/** Opens the view of a component. Returns whether it has one. */
export function drillDownFrom(componentId: string): boolean {
  const id = viewOf(componentId);
  if (id !== undefined) drillDown(id);
  return id !== undefined;
}

/** Goes back to a view of the trail. */
export function goBackTo(index: number): void {
  const { from } = useTrail.getState();
  const address = from[index];
  if (address === undefined) return;
  useTrail.setState({ to: address, from: from.slice(0, index) });
  go(address);
}

/** If a component is not in the open view, offers to show it on the map. */
missingListener.notify = (id) => {
  const contents = viewContents();
  if (!contents || contents.members.has(id)) return;
  const name = useWorkspace.getState().rows?.component.get(id)?.name ?? id;
  showToast(
    `“${truncate(name, 40)}” is not in this view.`,
    { label: 'Show on map', run: () => goToView(null, `?${new URLSearchParams({ c: id })}`) },
    'not in view',
  );
};
