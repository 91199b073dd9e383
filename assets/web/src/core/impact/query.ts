/** The parameters of an impact analysis, as in the URL. */
import { MAX_IMPACT_DEPTH } from '../limits';

/** The direction; `between` searches paths between two components. */
export type ImpactDirection = 'dependents' | 'dependencies' | 'both' | 'between';

export interface ImpactQuery {
  /** The component to analyze. */
  of: string;
  direction: ImpactDirection;
  /** The maximum distance in relationships; null for no limit. */
  depth: number | null;
  /** The relationship types to follow; empty for those that express a dependency. */
  types: readonly string[];
  /** The component to show paths to. */
  to: string | null;
}

export const IMPACT_DIRECTIONS: readonly ImpactDirection[] = [
  'dependents',
  'dependencies',
  'both',
  'between',
];

/** Reads the parameters from a query string; null if there are none. Invalid values are ignored. */
export function parseImpactQuery(search: string): ImpactQuery | null {
  const query = new URLSearchParams(search);
  const of = query.get('impact');
  if (!of) return null;
  const depth = Number(query.get('depth'));
  const to = query.get('to') || null;
  const direction = IMPACT_DIRECTIONS.find((value) => value === query.get('way')) ?? 'dependents';
  return {
    of,
    direction: direction === 'between' && to === null ? 'dependents' : direction,
    depth: Number.isInteger(depth) && depth >= 1 && depth <= MAX_IMPACT_DEPTH ? depth : null,
    types: [...new Set((query.get('types') ?? '').split(',').filter(Boolean))],
    to,
  };
}

/** The query parameters of an impact query; null removes a parameter. */
export function formatImpactQuery(question: ImpactQuery | null): Record<string, string | null> {
  const { of, direction, depth, types, to } = question ?? {
    of: null,
    direction: null,
    depth: null,
    types: [],
    to: null,
  };
  return {
    impact: of,
    way: direction === 'dependents' ? null : direction,
    depth: depth === null ? null : String(depth),
    types: types.length > 0 ? types.join(',') : null,
    to,
  };
}
