/** Why a link to a page of the wiki could not be made or looked up, in words for whoever holds its address. */

const WORDS: Readonly<Record<string, string>> = {
  bad_wiki_url: 'This is an address of the wiki, but of no page and no database in it.',
  wiki_misconfigured:
    'This is a page of the wiki, which is not connected: its title is not known here. An administrator of the organization can connect it in the settings.',
  wiki_access_denied:
    'The wiki does not let this organization in any more. An administrator can connect it again in the settings.',
  wiki_not_found:
    'The wiki has no such page, or it is not shared with this organization. In the wiki, add the connection to the page; then try again.',
};
const AWAY = 'The wiki does not answer. Try again in a moment.';

/**
 * What to tell of an error of this code and HTTP status; none when it is not about the wiki. The address can be kept all the
 * same, as one of any other page: without title and icon.
 */
export function wikiErrorText(code: string | undefined, status: number): string | undefined {
  if (code && Object.hasOwn(WORDS, code)) return WORDS[code];
  return status === 502 ? AWAY : undefined;
}
