/** URLs of screens. */

import { useLocation } from 'wouter';
import { currentPath } from '@/api/base';

export function orgPath(slug: string, ...rest: string[]): string {
  return ['/o', slug, ...rest]
    .map((part, place) => (place === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

export function workspacePath(slug: string, workspaceId: string, ...rest: string[]): string {
  return orgPath(slug, 'w', workspaceId, ...rest);
}

/** The decoded segments of a path. (The router's decoding does not preserve IDs that contain `%` or `/`.) */
export function segmentsOf(pathname: string): string[] {
  return pathname.split('/').slice(1).map(decodeSegment);
}

/** The segments of the current URL. */
export function useSegments(): string[] {
  useLocation();
  return segmentsOf(currentPath());
}

/** A segment of the current URL by zero-based index; undefined if it does not exist. */
export function useSegment(place: number): string | undefined {
  return useSegments()[place] || undefined;
}

/** The slug of the organization in the URL. */
export function useOrgSlug(): string {
  const [mark, org = ''] = useSegments();
  return mark === 'o' ? org : '';
}

/** Manually entered URLs may contain invalid escapes. */
function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
