/** Shows and hides the panels of the map, moves the focus into them, and stores their state. */
import { useLayoutEffect } from 'react';
import { flushSync } from 'react-dom';
import { isNarrow } from '@/ui/breakpoints';
import { type InspectorMode, useView, type View } from './view';

/** The search field of the map. */
export const FIND_ID = 'find-on-map';
/** The part of the inspector that receives the focus when it opens. */
export const INSPECTOR_ID = 'inspector';

/** The sections of the side panel that can be opened directly. */
export type PanelSection = 'views' | 'legend' | 'lines' | 'filters' | 'processes';

/** The element ID of a section of the side panel. */
export function panelSectionId(section: PanelSection): string {
  return `panel-${section}`;
}

export function isAnythingSelected(
  view: Pick<View, 'selectedComponents' | 'selectedRelationships' | 'selectedNotes'>,
): boolean {
  return view.selectedComponents.size + view.selectedRelationships.size + view.selectedNotes.size > 0;
}

/** Whether the inspector is shown. Recent changes replace it. */
export function isInspectorVisible(view: View): boolean {
  return view.inspector === 'open' || (view.inspector === 'selection' && isAnythingSelected(view));
}

/** Shows the details of the selection, or of the workspace if nothing is selected. */
export function showInspector(): void {
  useView.setState((view) => ({
    inspector: view.inspector === 'open' || !isAnythingSelected(view) ? 'open' : 'selection',
    historyOpen: false,
    commentsOpen: false,
  }));
}

/** Hides the inspector. If there is a selection, it stays hidden for later selections too. */
export function hideInspector(): void {
  useView.setState((view) => ({ inspector: isAnythingSelected(view) ? 'closed' : 'selection' }));
}

export function toggleInspector(): void {
  const view = useView.getState();
  if (isInspectorVisible(view) && !view.historyOpen && !view.commentsOpen) hideInspector();
  else showInspector();
}

/** Shows the inspector and focuses its first editable field. */
export function openInspector(): void {
  flushSync(showInspector);
  const inspector = document.getElementById(INSPECTOR_ID);
  inspector?.querySelector<HTMLElement>('input, textarea, select')?.focus();
}

/** Shows the side panel and focuses one of its sections. */
export function openPanelSection(section: PanelSection): void {
  flushSync(() => useView.setState({ panelOpen: true }));
  const element = document.getElementById(panelSectionId(section));
  const details = element?.closest('details') ?? element?.querySelector('details');
  if (details) details.open = true;
  element?.scrollIntoView({ block: 'nearest' });
  element?.querySelector<HTMLElement>('summary, input:checked')?.focus({ preventScroll: true });
}

/** Shows the side panel and focuses the search field. */
export function openFind(): void {
  flushSync(() => useView.setState({ panelOpen: true }));
  document.getElementById(FIND_ID)?.querySelector('input')?.focus();
}

export const MIN_INSPECTOR_WIDTH = 256;
export const MAX_INSPECTOR_WIDTH = 640;

/** The panels before they were hidden. */
let panelsBefore: Pick<View, 'panelOpen' | 'inspector' | 'historyOpen' | 'commentsOpen'> | null = null;

/**
 * Hides all panels, so that the map has the whole width. The user can still open them. Returns a function that shows
 * them as before.
 */
export function hidePanels(): () => void {
  const { panelOpen, inspector, historyOpen, commentsOpen } = useView.getState();
  const before = { panelOpen, inspector, historyOpen, commentsOpen };
  panelsBefore = before;
  useView.setState({ panelOpen: false, inspector: 'closed', historyOpen: false, commentsOpen: false });
  return () => {
    useView.setState(before);
    panelsBefore = null;
  };
}

const KEY = 'planroom.panels';

type PanelState = Pick<View, 'panelOpen' | 'inspector' | 'inspectorWidth'>;

/** Whether the panels were restored on this page. After that, panels opened by actions on other screens stay open. */
let isRestored = false;

/** Restores the panels as last used in this browser. On narrow screens, they are initially closed and not stored. */
export function useRememberedPanels(): void {
  useLayoutEffect(() => {
    if (isNarrow()) {
      useView.setState({ panelOpen: false, inspector: 'closed' });
      return;
    }
    if (!isRestored) useView.setState(parsePanels(localStorage.getItem(KEY)));
    isRestored = true;
    return useView.subscribe((now, before) => {
      // Panels that are hidden for now are stored as they were.
      if (panelsBefore) return;
      const { panelOpen, inspector, inspectorWidth } = now;
      const isSame =
        panelOpen === before.panelOpen &&
        inspector === before.inspector &&
        inspectorWidth === before.inspectorWidth;
      if (!isSame) localStorage.setItem(KEY, JSON.stringify({ panelOpen, inspector, inspectorWidth }));
    });
  }, []);
}

const MODES: readonly InspectorMode[] = ['closed', 'selection', 'open'];

/** Reads the stored state. Invalid parts are ignored. */
export function parsePanels(text: string | null): Partial<PanelState> {
  let stored: Partial<Record<keyof PanelState, unknown>> | null;
  try {
    stored = JSON.parse(text ?? 'null') as typeof stored;
  } catch {
    return {};
  }
  const { panelOpen, inspector, inspectorWidth } = stored ?? {};
  const mode = MODES.find((one) => one === inspector);
  return {
    ...(typeof panelOpen === 'boolean' ? { panelOpen } : {}),
    ...(mode ? { inspector: mode } : {}),
    ...(typeof inspectorWidth === 'number' ? { inspectorWidth: clampInspectorWidth(inspectorWidth) } : {}),
  };
}

export function clampInspectorWidth(width: number): number {
  return Math.round(Math.min(MAX_INSPECTOR_WIDTH, Math.max(MIN_INSPECTOR_WIDTH, width)));
}
