/**
 * The URL as the browser reports it, for the router. The router would decode it with `decodeURI`, after which `%25` and
 * `%` look the same. Screens decode path segments themselves, because ids may contain any character.
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
