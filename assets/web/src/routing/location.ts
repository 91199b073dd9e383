/**
 * Passes the undecoded URL to the router. The router would decode it with `decodeURI`, which makes `%25` and `%`
 * indistinguishable. Screens decode path segments themselves, because IDs may contain any character.
 */
import {
  type BrowserLocationHook,
  navigate,
  useSearch as useBrowserSearch,
  usePathname,
} from 'wouter/use-browser-location';

const escapePercent = (text: string) => text.replaceAll('%', '%25');

export const useRawLocation: BrowserLocationHook = () => [escapePercent(usePathname()), navigate];

export const useRawSearch = (): string => escapePercent(useBrowserSearch());
