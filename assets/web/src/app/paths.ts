/** The addresses of screens. */
import { useLocation, useParams } from 'wouter';

export function orgPath(slug: string, ...rest: string[]): string {
  return ['/o', slug, ...rest]
    .map((part, place) => (place === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

export function workspacePath(slug: string, workspaceId: string, ...rest: string[]): string {
  return orgPath(slug, 'w', workspaceId, ...rest);
}

/** The organization in the address. */
export function useOrgSlug(): string {
  const { org } = useParams();
  return org ? decodeURIComponent(org) : '';
}

/**
 * A part of the address as it was before it was encoded, counted from 0 after the first slash; none when there is none.
 * The router decodes addresses too, but not all of them: an id with `%` or `/` in it does not survive that.
 */
export function useSegment(place: number): string | undefined {
  useLocation();
  const part = location.pathname.split('/')[place + 1];
  try {
    return part ? decodeURIComponent(part) : undefined;
  } catch {
    return part;
  }
}
