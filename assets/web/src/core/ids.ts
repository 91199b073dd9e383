/** Derives IDs from names, as the server does. (Organizations have a different rule, see `core/account/slug`.) */

/** Reserves space for a numeric suffix. */
const MAX_ID_LENGTH = 100;

/** Letters (of any script) and digits of a name in lowercase, separated by hyphens. Never empty. */
export function slug(name: string): string {
  const kebab = name
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{N}]+/gu, '-')
    .slice(0, MAX_ID_LENGTH)
    .replace(/^-+|-+$/g, '');
  return kebab || 'item';
}

/** Like `slug`, with a numeric suffix if the ID is in use. */
export function freeId(name: string, isTaken: (id: string) => boolean): string {
  return freeVariant(slug(name), isTaken);
}

/** The ID, or an unused variant with a suffix: `payments-2`. Keeps at most `longest` characters of the ID. */
export function freeVariant(id: string, isTaken: (id: string) => boolean, longest = id.length): string {
  if (!isTaken(id)) return id;
  const stem = id.slice(0, longest);
  for (let number = 2; ; number++) if (!isTaken(`${stem}-${number}`)) return `${stem}-${number}`;
}

/** The ID of a relationship, derived from its ends and type as on the server: `web-calls-payments`. */
export function relationshipId(
  { sourceId, typeId, targetId }: { sourceId: string; typeId: string; targetId: string },
  isTaken: (id: string) => boolean,
): string {
  return freeId(`${sourceId} ${typeId} ${targetId}`, isTaken);
}
