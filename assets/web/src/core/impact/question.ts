/** A question about what depends on what, as an address says it. */

/** Which way is looked: `between` looks for the ways from one component to another. */
export type ImpactDirection = 'dependents' | 'dependencies' | 'both' | 'between';

export interface ImpactQuery {
  /** The component that is asked about. */
  of: string;
  way: ImpactDirection;
  /** How many relationships away at the most; null for as far as it goes. */
  depth: number | null;
  /** The types of relationship that count; all when there is none. */
  types: readonly string[];
  /** The component of which the ways are shown. */
  to: string | null;
}

export const IMPACT_DIRECTIONS: readonly ImpactDirection[] = [
  'dependents',
  'dependencies',
  'both',
  'between',
];
/** As deep as the server looks when it is told how deep. */
const MAX_DEPTH = 100;

/** The question in a query; null without one. What is not understood counts as not said. */
export function parseImpactQuery(search: string): ImpactQuery | null {
  const query = new URLSearchParams(search);
  const of = query.get('impact');
  if (!of) return null;
  const depth = Number(query.get('depth'));
  const to = query.get('to') || null;
  const way = IMPACT_DIRECTIONS.find((one) => one === query.get('way')) ?? 'dependents';
  return {
    of,
    way: way === 'between' && to === null ? 'dependents' : way,
    depth: Number.isInteger(depth) && depth >= 1 && depth <= MAX_DEPTH ? depth : null,
    types: [...new Set((query.get('types') ?? '').split(',').filter(Boolean))],
    to,
  };
}

/** What an address says of a question; null takes a part out of it. */
export function formatImpactQuery(question: ImpactQuery | null): Record<string, string | null> {
  const { of, way, depth, types, to } = question ?? { of: null, way: null, depth: null, types: [], to: null };
  return {
    impact: of,
    way: way === 'dependents' ? null : way,
    depth: depth === null ? null : String(depth),
    types: types.length > 0 ? types.join(',') : null,
    to,
  };
}
