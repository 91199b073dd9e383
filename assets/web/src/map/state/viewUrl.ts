/**
 * Keeps the lens, the filters and the collapsed groups in the URL. Without them in the URL, the collapsed groups are those
 * that this browser stores for the workspace. What a link shows is not stored until the user changes it.
 */

import { useEffect, useRef } from 'react';
import { useSearch } from 'wouter';
import { fullUrl } from '@/api/base';
import { LENSES, NO_FILTERS } from '@/core/model/viewOptions';
import {
  collapsedGroups,
  formatViewQuery,
  hasSameOptions,
  isDefaultView,
  knownFilters,
  parseViewQuery,
  type ViewOptions,
  type ViewQuery,
} from '@/core/search/viewQuery';
import type { View } from '@/core/sync/viewRows';
import { useModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { loadCollapsed, rememberCollapsed } from './collapsed';
import { openMapPath } from './location';
import { openView, viewAddress } from './openView';
import { currentScene } from './scenes';
import { currentMapQuery } from './urlState';
import { useView } from './view';

/** Browsers limit how often the URL can change. */
const WRITE_DELAY_MS = 350;

/** The workspace and view whose options are shown. They stay when the user returns to the map from another screen. */
let shown: { workspaceId: string; address: string | null } | null = null;
/** The options of the map itself while a view is open. */
let ofMap: { workspaceId: string; options: ViewOptions } | null = null;

function currentOptions(): ViewOptions {
  const { lens, filters, collapsed } = useView.getState();
  return { lens, filters, collapsed };
}

/** The options with which a view is opened. */
function definedOptions({ definition }: View): ViewOptions {
  const lens = LENSES.find(({ id }) => id === definition.colorBy)?.id ?? 'type';
  return { lens, filters: NO_FILTERS, collapsed: new Set(definition.collapsed) };
}

/** The options of the map or view that is opened now, if the URL contains none. */
function initialOptions(workspaceId: string): Partial<ViewOptions> | null {
  const address = viewAddress();
  const before = shown;
  shown = { workspaceId, address };
  const isSameWorkspace = before?.workspaceId === workspaceId;
  if (isSameWorkspace && before.address === address) return null;
  if (isSameWorkspace && before.address === null) ofMap = { workspaceId, options: currentOptions() };
  const open = openView();
  if (open) return definedOptions(open.view);
  if (isSameWorkspace && ofMap?.workspaceId === workspaceId) return ofMap.options;
  return {
    collapsed: loadCollapsed(workspaceId),
    ...(before && before.address !== null ? { lens: 'type', filters: NO_FILTERS } : {}),
  };
}

function groups(): string[] {
  return [...currentScene().containment.children.keys()];
}

/** Applies the view in the URL and writes later changes to it. */
export function useViewUrl(): void {
  const workspaceId = useWorkspace((state) => state.workspaceId);
  const model = useModel();
  const search = useSearch();
  const requested = useRef<ViewQuery | null>(null);
  const isApplied = useRef(false);
  useEffect(() => {
    const wanted = parseViewQuery(location.search);
    requested.current = wanted;
    isApplied.current = wanted === null;
    const initial = initialOptions(workspaceId);
    if (wanted) useView.setState({ collapsed: collapsedGroups(wanted, groups()) });
    else if (initial) useView.setState(initial);
    // The groups that are collapsed in a view belong to the view.
    return viewAddress() === null ? rememberCollapsed(workspaceId) : undefined;
  }, [workspaceId]);
  // Unknown filter values can be recognized only once the catalog is loaded.
  useEffect(() => {
    if (!model || isApplied.current || !requested.current) return;
    const { lens, filters } = requested.current;
    isApplied.current = true;
    useView.setState({ lens, filters: knownFilters(filters, model) });
  }, [model]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation can remove the parameters
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const path = location.pathname;
    const write = () => {
      timer = undefined;
      if (location.pathname !== path || !isApplied.current) return;
      const query = viewQuery(location.search, workspaceId);
      const target = query ? `${path}?${query}` : path;
      // Bypass the router: no screen depends on these parameters, and all subscribers would be notified.
      if (target !== `${path}${location.search}`)
        History.prototype.replaceState.call(history, history.state, '', target);
    };
    const schedule = () => {
      timer ??= setTimeout(write, WRITE_DELAY_MS);
    };
    schedule();
    const stop = useView.subscribe((now, before) => {
      const isSame =
        now.lens === before.lens && now.filters === before.filters && now.collapsed === before.collapsed;
      if (!isSame) schedule();
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [workspaceId, search]);
}

/** Whether the open view is shown with other colors and collapsed groups than it is opened with. */
export function hasOtherOptions(): boolean {
  const open = openView();
  if (!open) return false;
  const options = { ...currentOptions(), filters: NO_FILTERS };
  return !hasSameOptions(options, definedOptions(open.view), groups());
}

/** The query with the current view, without its parameters if the view is the one that this browser shows anyway. */
function viewQuery(query: string, workspaceId: string): string {
  const view = useView.getState();
  const open = openView();
  const isImplied = open
    ? hasSameOptions(view, definedOptions(open.view), groups())
    : isDefaultView(view) && loadCollapsed(workspaceId).size === 0;
  return formatViewQuery(query, isImplied ? null : view, groups());
}

/** The link to the map with these parameters, and with the current lens, filters and collapsed groups. */
function linkWith(params: Readonly<Record<string, string>>): string {
  const view = useView.getState();
  const open = openView();
  const isImplied = open ? hasSameOptions(view, definedOptions(open.view), groups()) : isDefaultView(view);
  const query = formatViewQuery(String(new URLSearchParams(params)), isImplied ? null : view, groups());
  return fullUrl(`${openMapPath()}?${query}`);
}

/** The link to a component (`c`), relationship (`r`) or note (`n`). */
export function shareUrl(kind: 'component' | 'relationship' | 'note', id: string): string {
  return linkWith({ [kind.charAt(0)]: id });
}

/** The link to a step of a process. `step` is zero-based; the URL is one-based. */
export function stepUrl(processId: string, step: number): string {
  return linkWith({ process: processId, step: String(step + 1) });
}

/** The link to the map as it is shown. */
export function mapUrl(): string {
  const query = formatViewQuery(currentMapQuery(), useView.getState(), groups());
  return fullUrl(`${openMapPath()}?${query}`);
}
