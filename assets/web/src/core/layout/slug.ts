/** Ids made from names, as the server makes them. */

/** Room for a number behind the longest. */
const LONGEST = 100;

/** Letters (of any script) and digits of a name in lower case, with dashes between. Never empty. */
export function slug(name: string): string {
  const kebab = name
    .toLowerCase()
    .replace(/[^\p{Alphabetic}\p{N}]+/gu, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
  return kebab || 'item';
}

/** The same, with a number behind it where it is taken. */
export function freeId(name: string, isTaken: (id: string) => boolean): string {
  const base = slug(name);
  if (!isTaken(base)) return base;
  for (let number = 2; ; number++) if (!isTaken(`${base}-${number}`)) return `${base}-${number}`;
}
