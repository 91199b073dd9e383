/**
 * Keeps the lens, the filters and the collapsed groups in the URL. Without them in the URL, the collapsed groups are those
 * that this browser stores for the workspace. What a link shows is not stored until the user changes it.
 */
import { useEffect, useRef } from 'react';
import { useSearch } from 'wouter';
import {
  collapsedGroups,
  formatViewQuery,
  isDefaultView,
  knownFilters,
  parseViewQuery,
  type ViewQuery,
} from '@/core/search/viewQuery';
import { useModel } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import { loadCollapsed, rememberCollapsed } from './collapsed';
import { openWorkspacePath } from './location';
import { currentScene } from './scenes';
import { currentMapQuery } from './urlState';
import { useView } from './view';

/** Browsers limit how often the URL can change. */
const WRITE_DELAY_MS = 350;

/** The workspace whose collapsed groups are shown. They stay when the user returns to the map from another screen. */
let shownWorkspace: string | null = null;

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
    if (wanted) useView.setState({ collapsed: collapsedGroups(wanted, groups()) });
    else if (shownWorkspace !== workspaceId) useView.setState({ collapsed: loadCollapsed(workspaceId) });
    shownWorkspace = workspaceId;
    return rememberCollapsed(workspaceId);
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

/** The query with the current view, without its parameters if the view is the one that this browser shows anyway. */
function viewQuery(query: string, workspaceId: string): string {
  const view = useView.getState();
  const isImplied = isDefaultView(view) && loadCollapsed(workspaceId).size === 0;
  return formatViewQuery(query, isImplied ? null : view, groups());
}

/** The link to the map with these parameters, and with the current lens, filters and collapsed groups. */
function linkWith(params: Readonly<Record<string, string>>): string {
  const view = useView.getState();
  const query = formatViewQuery(
    String(new URLSearchParams(params)),
    isDefaultView(view) ? null : view,
    groups(),
  );
  return `${location.origin}${openWorkspacePath()}?${query}`;
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
  return `${location.origin}${openWorkspacePath()}?${formatViewQuery(currentMapQuery(), useView.getState(), groups())}`;
}
