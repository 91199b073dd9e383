/** The addresses of screens. */
import { useParams } from 'wouter';

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
