/** The views that this user sees, in order. */
import { useMemo } from 'react';
import { inOrder, type View } from '@/core/sync/viewRows';
import { addressOf } from '@/map/state/openView';
import { usePersonalViews } from '@/workspace/personalViews';
import { useWorkspace } from '@/workspace/store';

export interface ListedView {
  address: string;
  isPersonal: boolean;
  view: View;
}

const NO_VIEWS: ReadonlyMap<string, View> = new Map();

export function useViews(): { shared: readonly ListedView[]; personal: readonly ListedView[] } {
  const shared = useWorkspace((state) => state.rows?.view) ?? NO_VIEWS;
  const personal = usePersonalViews((state) => state.views);
  return useMemo(
    () => ({ shared: listed(shared.values(), false), personal: listed(personal.values(), true) }),
    [shared, personal],
  );
}

function listed(views: Iterable<View>, isPersonal: boolean): ListedView[] {
  return inOrder(views).map((view) => ({ address: addressOf(view.id, isPersonal), isPersonal, view }));
}
