/** Why a link to a page of the wiki could not be made or looked up, in words for whoever holds its address. */

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
 * What to tell of an error of this code and HTTP status; none when it is not about the wiki. The address can be kept all the
 * same, as one of any other page: without title and icon.
 */
export function wikiErrorText(code: string | undefined, status: number): string | undefined {
  if (code && Object.hasOwn(WORDS, code)) return WORDS[code];
  return status === 502 ? AWAY : undefined;
}
