/** The view through which the map is shown. Its address is the last part of the URL: `…/v/payments`, `…/v/~mine`. */
import { useLocation } from 'wouter';
import type { RelationshipLine } from '@/api/generated';
import type { Point } from '@/core/scene/geometry';
import { memoizeLast } from '@/core/scene/memoize';
import type { Rows } from '@/core/sync/rows';
import type { View, ViewDefinition } from '@/core/sync/viewRows';
import { type PersonalView, usePersonalViews } from '@/workspace/personalViews';
import { useWorkspace } from '@/workspace/store';
import { currentLocation } from './location';
import { useViewDraft } from './viewDraft';

/** The mark of personal views in addresses. IDs of views do not begin with it. */
const PERSONAL_MARK = '~';
const PATH = 'v/';

export interface OpenView {
  /** The last part of its URL. */
  address: string;
  isPersonal: boolean;
  view: View;
  /** The positions and lines of an own layout; null if the view has the positions of the map. */
  layout: ViewArrangement | null;
}

export interface ViewArrangement {
  places: ReadonlyMap<string, Point>;
  lines: ReadonlyMap<string, RelationshipLine>;
}

/** The address of the view in the URL; null for the map itself. */
export function viewAddress(): string | null {
  const { rest } = currentLocation();
  return rest.startsWith(PATH) ? rest.slice(PATH.length) : null;
}

export function addressOf(id: string, isPersonal: boolean): string {
  return isPersonal ? PERSONAL_MARK + id : id;
}

/** Identifies the map or the view of it that is open in this window. */
export function mapKey(): string {
  const { workspaceId } = useWorkspace.getState();
  const address = viewAddress();
  return address === null ? workspaceId : `${workspaceId}/v/${address}`;
}

/** The ID of a view, and whether it is personal. */
export function parseAddress(address: string): { id: string; isPersonal: boolean } {
  const isPersonal = address.startsWith(PERSONAL_MARK);
  return { id: isPersonal ? address.slice(PERSONAL_MARK.length) : address, isPersonal };
}

/** The view with an address; undefined if it does not exist. */
export function viewAt(address: string): View | undefined {
  const { id, isPersonal } = parseAddress(address);
  return isPersonal ? usePersonalViews.getState().views.get(id) : useWorkspace.getState().rows?.view.get(id);
}

const sharedLayout = memoizeLast(
  (viewId: string, places: Rows['view-place'], lines: Rows['view-line']): ViewArrangement => ({
    places: new Map(
      [...places.values()].flatMap((row) =>
        row.viewId === viewId ? [[row.componentId, { x: row.x, y: row.y }] as const] : [],
      ),
    ),
    lines: new Map(
      [...lines.values()].flatMap((row) =>
        row.viewId === viewId ? [[row.relationshipId, row.line] as const] : [],
      ),
    ),
  }),
);

const personalLayout = memoizeLast(
  (places: PersonalView['places'] = [], lines: PersonalView['lines'] = []): ViewArrangement => ({
    places: new Map(places.map(({ componentId, x, y }) => [componentId, { x, y }])),
    lines: new Map(lines.map(({ relationshipId, line }) => [relationshipId, line])),
  }),
);

const opened = memoizeLast(
  (address: string, view: View, layout: ViewArrangement | null): OpenView => ({
    address,
    isPersonal: parseAddress(address).isPersonal,
    view,
    layout,
  }),
);

/** The view with the rules that are being edited. */
function drafted(view: View, address: string | null): View {
  const { address: edited, definition } = useViewDraft.getState();
  return definition && edited === address ? withDefinition(view, definition) : view;
}

const withDefinition = memoizeLast(
  (view: View, definition: ViewDefinition): View => ({ ...view, definition }),
);

/** The view that is shown; null for the map itself, and while the view is unknown. */
export function openView(): OpenView | null {
  const address = viewAddress();
  const saved = address === null ? undefined : viewAt(address);
  const view = saved && drafted(saved, address);
  const { rows } = useWorkspace.getState();
  if (address === null || !view || !rows) return null;
  if (view.layout === 'shared') return opened(address, view, null);
  const layout = parseAddress(address).isPersonal
    ? personalLayout((view as PersonalView).places, (view as PersonalView).lines)
    : sharedLayout(view.id, rows['view-place'], rows['view-line']);
  return opened(address, view, layout);
}

export function useViewAddress(): string | null {
  useLocation();
  return viewAddress();
}

export function useOpenView(): OpenView | null {
  useViewAddress();
  useWorkspace((state) => state.rows?.view);
  useWorkspace((state) => (viewAddress() === null ? undefined : state.rows?.['view-place']));
  useWorkspace((state) => (viewAddress() === null ? undefined : state.rows?.['view-line']));
  usePersonalViews((state) => state.views);
  useViewDraft();
  return openView();
}
