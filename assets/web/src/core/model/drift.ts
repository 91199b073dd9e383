/** How the map differs from the sources that it was imported from and synchronized with. */
import type { DriftFinding, DriftKind } from '@/api/generated';

/** What drift says about a row of the map. */
export type DriftState = 'gone' | 'onlyOnMap' | 'differs' | 'inStep';

export interface DriftIndex {
  /** Whether the workspace has sources, so that there is anything to compare. */
  hasSources: boolean;
  /** The state of each component that differs. All others are in step. */
  components: ReadonlyMap<string, DriftState>;
  relationships: ReadonlyMap<string, DriftState>;
}

export const NO_DRIFT: DriftIndex = { hasSources: false, components: new Map(), relationships: new Map() };

/** The name and color of each state, the most urgent first. */
export const DRIFT_STATES: readonly { id: DriftState; name: string; color: string }[] = [
  { id: 'gone', name: 'Gone from code', color: '#d1495b' },
  { id: 'differs', name: 'Differs from code', color: '#c77d00' },
  { id: 'onlyOnMap', name: 'Only on the map', color: '#7b5ea7' },
  { id: 'inStep', name: 'In step with code', color: '#7a828c' },
];

/** A list of the drift report. */
export interface DriftSection {
  id: DriftKind;
  name: string;
  meaning: string;
}

export const DRIFT_SECTIONS: readonly DriftSection[] = [
  { id: 'onlyInCode', name: 'Only in code', meaning: 'In the files of a source, but not on the map.' },
  { id: 'onlyOnMap', name: 'Only on the map', meaning: 'On the map, but in the files of no source.' },
  { id: 'differs', name: 'Differs', meaning: 'The files and the map have different values.' },
  { id: 'sourcesDiffer', name: 'Sources differ', meaning: 'Two sources have different values.' },
  {
    id: 'seenNotDrawn',
    name: 'Seen but not drawn',
    meaning: 'Observed at run time, but not on the map.',
  },
  {
    id: 'drawnNotSeen',
    name: 'Drawn but not seen',
    meaning: 'On the map, but not observed at run time.',
  },
  { id: 'unowned', name: 'Without an owner', meaning: 'Components without an owner.' },
];

export function driftIndex(findings: readonly DriftFinding[], hasSources: boolean): DriftIndex {
  const components = new Map<string, DriftState>();
  const relationships = new Map<string, DriftState>();
  for (const finding of findings) {
    const { id, kind } = finding;
    const state = stateOf(finding);
    if (state === undefined || typeof id !== 'string') continue;
    const states = { component: components, relationship: relationships }[kind as string];
    if (!states) continue;
    const known = states.get(id);
    if (known === undefined || rank(state) < rank(known)) states.set(id, state);
  }
  return { hasSources, components, relationships };
}

function stateOf({ finding, missingSince }: DriftFinding): DriftState | undefined {
  if (finding === 'onlyOnMap') return missingSince === undefined ? 'onlyOnMap' : 'gone';
  return finding === 'differs' || finding === 'sourcesDiffer' ? 'differs' : undefined;
}

function rank(state: DriftState): number {
  return DRIFT_STATES.findIndex(({ id }) => id === state);
}
