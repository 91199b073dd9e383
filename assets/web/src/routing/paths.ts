/** The addresses of screens. */
import { useLocation } from 'wouter';

export function orgPath(slug: string, ...rest: string[]): string {
  return ['/o', slug, ...rest]
    .map((part, place) => (place === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

export function workspacePath(slug: string, workspaceId: string, ...rest: string[]): string {
  return orgPath(slug, 'w', workspaceId, ...rest);
}

/**
 * The parts of a path as they were before they were encoded. (The router decodes addresses too, but not all of them: an id
 * with `%` or `/` in it does not survive that.)
 */
export function segmentsOf(pathname: string): string[] {
  return pathname.split('/').slice(1).map(decodeSegment);
}

/** The parts of the address that is shown. */
export function useSegments(): string[] {
  useLocation();
  return segmentsOf(location.pathname);
}

/** A part of the address, counted from 0 after the first slash; none when there is none. */
export function useSegment(place: number): string | undefined {
  return useSegments()[place] || undefined;
}

/** The organization in the address. */
export function useOrgSlug(): string {
  const [mark, org = ''] = useSegments();
  return mark === 'o' ? org : '';
}

/** Somebody may have typed what nobody would have encoded so. */
function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
