/** Reads and writes the selection and position of the map in the URL. */
import type { Point } from './geometry';

export interface MapQuery {
  componentIds: readonly string[];
  relationshipIds: readonly string[];
  noteIds: readonly string[];
  /** The center of the viewport, in map units, and the zoom. */
  at: (Point & { zoom: number }) | null;
}

/** Maximum number of selected IDs in the URL. */
const MAX_IDS = 20;

/** Reads the map parameters of a query string. Invalid values are ignored. */
export function parseMapQuery(query: string): MapQuery {
  const params = new URLSearchParams(query);
  const numbers = (params.get('at') ?? '').split(',').map(Number);
  const [x, y, zoom] = numbers;
  const isPlace =
    numbers.length === 3 && numbers.every(Number.isFinite) && params.get('at') !== '' && (zoom ?? 0) > 0;
  return {
    componentIds: params.getAll('c').filter(Boolean),
    relationshipIds: params.getAll('r').filter(Boolean),
    noteIds: params.getAll('n').filter(Boolean),
    at: isPlace ? { x: x as number, y: y as number, zoom: zoom as number } : null,
  };
}

/** The query with updated map parameters and other parameters unchanged. */
export function formatMapQuery(
  query: string,
  { componentIds, relationshipIds, noteIds, at }: MapQuery,
): string {
  const params = new URLSearchParams(query);
  params.delete('c');
  params.delete('r');
  params.delete('n');
  params.delete('at');
  if (componentIds.length + relationshipIds.length + noteIds.length <= MAX_IDS) {
    for (const id of componentIds) params.append('c', id);
    for (const id of relationshipIds) params.append('r', id);
    for (const id of noteIds) params.append('n', id);
  }
  if (at) params.append('at', [at.x.toFixed(0), at.y.toFixed(0), Number(at.zoom.toPrecision(3))].join(','));
  // Commas are valid in a query; leaving them unescaped keeps the URL readable.
  return params.toString().replaceAll('%2C', ',');
}
