/** What can be asked about dependencies. */
import { ArrowDownToDot, ArrowUpFromDot, Route, X } from 'lucide-react';
import { readQuestion, type Way } from '@/core/impact/question';
import { ask, stopAsking } from '@/map/state/impactUrl';
import { onMap } from '@/map/state/location';
import { focusComponent, theOne } from '@/map/state/selection';
import { useView } from '@/map/state/view';
import { usePlan } from '@/workspace/store';
import type { Action } from './action';

/** Asks about a component from wherever the map is; what was chosen of depth and types stays. */
export function askAbout(of: string, way: Way, to: string | null = null): void {
  const { depth = null, types = [] } = readQuestion(location.search) ?? {};
  ask({ of, way, depth, types, to });
}

/** Of a past state nobody knows more than what it held. None while one may ask. */
export function refusalToAsk(): string | null {
  return usePlan.getState().past === null ? null : PRESENT_ONLY;
}

/** The same for screens. */
export function useRefusalToAsk(): string | null {
  return usePlan(({ past }) => (past === null ? null : PRESENT_ONLY));
}

const PRESENT_ONLY = 'Dependencies are known of the map as it is now. Go back to now to ask about them.';

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
    title: 'Paths between the two',
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
    title: 'Let go of the question about dependencies',
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
