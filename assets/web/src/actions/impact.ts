/** Actions of the impact view: dependents, dependencies and paths. */
import { ArrowDownToDot, ArrowUpFromDot, Route, X } from 'lucide-react';
import { readQuestion, type Way } from '@/core/impact/question';
import { usePlan } from '@/plan/store';
import { focusComponent, theOne } from '@/screens/map/canvas/selection';
import { ask, stopAsking } from '@/screens/map/impact/address';
import { useView } from '@/screens/map/view';
import type { Action } from './action';
import { onMap } from './place';

/** Opens the impact view for a component. Keeps the chosen depth and relationship types. */
export function askAbout(of: string, way: Way, to: string | null = null): void {
  const { depth = null, types = [] } = readQuestion(location.search) ?? {};
  ask({ of, way, depth, types, to });
}

/** Why the impact view is unavailable; null if it is available. Past states have no impact analysis. */
export function refusalToAsk(): string | null {
  return usePlan.getState().past === null ? null : PRESENT_ONLY;
}

/** The same, as a React hook. */
export function useRefusalToAsk(): string | null {
  return usePlan(({ past }) => (past === null ? null : PRESENT_ONLY));
}

const PRESENT_ONLY =
  'Impact analysis works on the current map only. Go back to the current version to use it.';

const isOnMap = () => onMap() && useView.getState().camera !== null;

function about(way: Way): Pick<Action, 'isEnabled' | 'refusal' | 'run'> {
  return {
    isEnabled: () => isOnMap() && theOne() !== null,
    refusal: refusalToAsk,
    run: () => {
      const id = theOne();
      if (id) askAbout(id, way);
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
    ...about('dependents'),
  },
  {
    id: 'impact.dependencies',
    title: 'What does this depend on?',
    group: 'Selection',
    keys: ['Shift+D'],
    icon: ArrowUpFromDot,
    ...about('dependencies'),
  },
  {
    id: 'impact.between',
    title: 'Show paths between selected',
    group: 'Selection',
    keys: ['Shift+C'],
    icon: Route,
    isEnabled: () => isOnMap() && useView.getState().selectedComponents.size === 2,
    refusal: refusalToAsk,
    run: () => {
      const [from, to] = useView.getState().selectedComponents;
      if (from && to) askAbout(from, 'between', to);
    },
  },
  {
    id: 'impact.leave',
    title: 'Exit impact view',
    group: 'Selection',
    keys: ['Escape'],
    icon: X,
    isEnabled: () => isOnMap() && readQuestion(location.search) !== null,
    run: () => {
      const question = readQuestion(location.search);
      stopAsking();
      focusComponent(question?.of ?? null);
    },
  },
];
