/**
 * The path of the public URL, if the server shares a host with other services: `/planroom` for
 * `https://example.org/planroom`. The server writes it into the page, so the same build works everywhere.
 *
 * Paths in the code, in routes and in the API are relative to the public URL. They get the prefix where they are passed
 * to the browser, and lose it where they are read.
 */

/** The prefix; empty if the server has the host to itself. */
export const BASE =
  typeof document === 'undefined'
    ? ''
    : (document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? '');

/** The URL path of a page or file of this server. */
export function withBase(path: string): string {
  return BASE + path;
}

/** The full URL of a page, for links that people share. */
export function fullUrl(path: string): string {
  return location.origin + withBase(path);
}

/** The path of the open page, which the server serves only below the prefix. */
export function currentPath(): string {
  return location.pathname.slice(BASE.length) || '/';
}

/**
 * The name under which the browser stores something of this server, or shares it between its windows. Servers at
 * different paths of one host share the storage, and can have users and workspaces with the same ids.
 */
export function ownName(name: string): string {
  return BASE ? `${BASE}@${name}` : name;
}
