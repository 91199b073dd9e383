/** Messages for errors of the wiki provider. */

const WORDS: Readonly<Record<string, string>> = {
  bad_wiki_url: 'This URL belongs to the wiki, but not to a page or database.',
  wiki_misconfigured:
    'This is a wiki page, but the wiki is not connected, so its title is unknown. An organization administrator can connect the wiki in the settings.',
  wiki_access_denied:
    'The wiki connection of this organization is no longer valid. An administrator can reconnect it in the settings.',
  wiki_not_found:
    'The page does not exist, or it is not shared with this organization. In the wiki, add the connection to the page, then try again.',
};
const AWAY = 'The wiki is not responding. Try again in a moment.';

/**
 * The message for an error with this code and HTTP status; undefined if it is not a wiki error. The link can still be
 * added, without title and icon.
 */
export function wikiErrorText(code: string | undefined, status: number): string | undefined {
  if (code && Object.hasOwn(WORDS, code)) return WORDS[code];
  return status === 502 ? AWAY : undefined;
}
