/** The presented tour and its stop in the URL, which makes them linkable. */
import { fullUrl } from '@/api/base';
import { navigate } from '@/routing/location';
import { openMapPath, openWorkspacePath } from './location';

/** The tour in a query, and its zero-based stop; null if there is none. */
export function parseTourQuery(search: string): { tourId: string; stop: number } | null {
  const query = new URLSearchParams(search);
  const tourId = query.get('tour');
  if (!tourId) return null;
  const stop = Number.parseInt(query.get('stop') ?? '1', 10);
  return { tourId, stop: Number.isFinite(stop) ? Math.max(0, stop - 1) : 0 };
}

/** The query that presents a stop. */
export function stopQuery(tourId: string, stop: number): string {
  return String(new URLSearchParams({ tour: tourId, stop: String(stop + 1) }));
}

/** Presents a tour, by default from its beginning. */
export function showTour(tourId: string, stop = 0): void {
  navigate(`${openMapPath()}?${stopQuery(tourId, stop)}`);
}

/** The link to a stop. */
export function stopUrl(tourId: string, stop: number): string {
  return fullUrl(`${openWorkspacePath()}?${stopQuery(tourId, stop)}`);
}
