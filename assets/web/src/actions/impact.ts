/** Actions of the impact view: dependents, dependencies and paths. */
import { ArrowDownToDot, ArrowUpFromDot, Route, X } from 'lucide-react';
import { type ImpactDirection, parseImpactQuery } from '@/core/impact/query';
import { closeImpact, openImpact } from '@/map/state/impactUrl';
import { isMapOpen } from '@/map/state/location';
import { focusComponent, targetComponent } from '@/map/state/selection';
import { useView } from '@/map/state/view';
import { useWorkspace } from '@/workspace/store';
import type { Action } from './action';

/** Opens the impact view for a component, keeping the selected depth and relationship types. */
export function showImpact(of: string, direction: ImpactDirection, to: string | null = null): void {
  const { depth = null, types = [] } = parseImpactQuery(location.search) ?? {};
  openImpact({ of, direction, depth, types, to });
}

/** The reason why the impact view is unavailable, or null. Past states have no impact analysis. */
export function impactUnavailable(): string | null {
  return useWorkspace.getState().past === null ? null : PRESENT_ONLY;
}

/** `impactUnavailable` as a React hook. */
export function useImpactUnavailable(): string | null {
  return useWorkspace(({ past }) => (past === null ? null : PRESENT_ONLY));
}

const PRESENT_ONLY =
  'Impact analysis works on the current map only. Go back to the current version to use it.';

const isOnMap = () => isMapOpen() && useView.getState().camera !== null;

function impactAction(direction: ImpactDirection): Pick<Action, 'isEnabled' | 'refusal' | 'run'> {
  return {
    isEnabled: () => isOnMap() && targetComponent() !== null,
    refusal: impactUnavailable,
    run: () => {
      const id = targetComponent();
      if (id) showImpact(id, direction);
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
    id: 'impact.paths',
    title: 'Show paths between selected',
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
    id: 'impact.exit',
    title: 'Exit impact view',
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
