/** The slug that the server will probably derive from an organization name, as a hint while typing. */
const MAX_SLUG_LENGTH = 50;

export function organizationSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
}
