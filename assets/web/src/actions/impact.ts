/** What can be asked about dependencies. */
import { ArrowDownToDot, ArrowUpFromDot, Route, X } from 'lucide-react';
import { type ImpactDirection, parseImpactQuery } from '@/core/impact/question';
import { closeImpact, openImpact } from '@/map/state/impactUrl';
import { isMapOpen } from '@/map/state/location';
import { focusComponent, targetComponent } from '@/map/state/selection';
import { useView } from '@/map/state/view';
import { useWorkspace } from '@/workspace/store';
import type { Action } from './action';

/** Asks about a component from wherever the map is; what was chosen of depth and types stays. */
export function showImpact(of: string, way: ImpactDirection, to: string | null = null): void {
  const { depth = null, types = [] } = parseImpactQuery(location.search) ?? {};
  openImpact({ of, way, depth, types, to });
}

/** Of a past state nobody knows more than what it held. None while one may ask. */
export function impactUnavailable(): string | null {
  return useWorkspace.getState().past === null ? null : PRESENT_ONLY;
}

/** The same for screens. */
export function useImpactUnavailable(): string | null {
  return useWorkspace(({ past }) => (past === null ? null : PRESENT_ONLY));
}

const PRESENT_ONLY = 'Dependencies are known of the map as it is now. Go back to now to ask about them.';

const isOnMap = () => isMapOpen() && useView.getState().camera !== null;

function impactAction(way: ImpactDirection): Pick<Action, 'isEnabled' | 'refusal' | 'run'> {
  return {
    isEnabled: () => isOnMap() && targetComponent() !== null,
    refusal: impactUnavailable,
    run: () => {
      const id = targetComponent();
      if (id) showImpact(id, way);
    },
  };
}

export const impactActions: readonly Action[] = [
  {
    id: 'impact.dependents',
    title: 'What depends on this?',
    group: 'Selection',
    keys: ['D'],
    icon: ArrowDownToDot,
    ...impactAction('dependents'),
  },
  {
    id: 'impact.dependencies',
    title: 'What does this depend on?',
    group: 'Selection',
    keys: ['Shift+D'],
    icon: ArrowUpFromDot,
    ...impactAction('dependencies'),
  },
  {
    id: 'impact.between',
    title: 'Paths between the two',
    group: 'Selection',
    keys: ['Shift+C'],
    icon: Route,
    isEnabled: () => isOnMap() && useView.getState().selectedComponents.size === 2,
    refusal: impactUnavailable,
    run: () => {
      const [from, to] = useView.getState().selectedComponents;
      if (from && to) showImpact(from, 'between', to);
    },
  },
  {
    id: 'impact.leave',
    title: 'Let go of the question about dependencies',
    group: 'Selection',
    keys: ['Escape'],
    icon: X,
    isEnabled: () => isOnMap() && parseImpactQuery(location.search) !== null,
    run: () => {
      const question = parseImpactQuery(location.search);
      closeImpact();
      focusComponent(question?.of ?? null);
    },
  },
];
