/** Derives ids from names, as the server does. (Organizations have their own rule, see `core/account/slug`.) */

/** Leaves room for a numeric suffix. */
const MAX_ID_LENGTH = 100;

/** Letters (of any script) and digits of a name in lower case, separated by hyphens. Never empty. */
export function slug(name: string): string {
  const kebab = name
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{N}]+/gu, '-')
    .slice(0, MAX_ID_LENGTH)
    .replace(/^-+|-+$/g, '');
  return kebab || 'item';
}

/** Like `slug`, with a numeric suffix if the id is in use. */
export function freeId(name: string, isTaken: (id: string) => boolean): string {
  return freeVariant(slug(name), isTaken);
}

/** The id, or an unused one with a suffix: `payments-2`. Keeps at most `longest` characters of the id. */
export function freeVariant(id: string, isTaken: (id: string) => boolean, longest = id.length): string {
  if (!isTaken(id)) return id;
  const stem = id.slice(0, longest);
  for (let number = 2; ; number++) if (!isTaken(`${stem}-${number}`)) return `${stem}-${number}`;
}

/** The id of a relationship, derived from its ends and type as on the server: `web-calls-payments`. */
export function relationshipId(
  { sourceId, typeId, targetId }: { sourceId: string; typeId: string; targetId: string },
  isTaken: (id: string) => boolean,
): string {
  return freeId(`${sourceId} ${typeId} ${targetId}`, isTaken);
}
