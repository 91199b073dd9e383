/** The slug that the server will probably derive from an organization name, as a hint while typing. */
import { MAX_SLUG_CHARS } from '../limits';

export function organizationSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_CHARS)
    .replace(/^-+|-+$/g, '');
}
