/**
 * Passes the undecoded URL to the router. The router would decode it with `decodeURI`, which makes `%25` and `%`
 * indistinguishable. Screens decode path segments themselves, because IDs may contain any character.
 */
import {
  type BrowserLocationHook,
  navigate as navigateTo,
  useSearch as useBrowserSearch,
  usePathname,
} from 'wouter/use-browser-location';
import { withBase } from '@/api/base';

const escapePercent = (text: string) => text.replaceAll('%', '%25');

export const useRawLocation: BrowserLocationHook = () => [escapePercent(usePathname()), navigateTo];

export const useRawSearch = (): string => escapePercent(useBrowserSearch());

/** Opens a page, for code that cannot use the hooks of the router. */
export function navigate(path: string, options?: { replace?: boolean }): void {
  navigateTo(withBase(path), options);
}
