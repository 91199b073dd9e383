/** State that is mirrored in the query of the URL, so that a link shows it to others. */
import { useEffect, useRef, useState } from 'react';
import { useSearch } from 'wouter';

/** Browsers limit how often the URL can change. */
const WRITE_DELAY_MS = 350;

/**
 * Reads the state from the query, and writes later changes to it, replacing the current history entry. `format` returns
 * the query with the parameters of the state, and other parameters unchanged.
 */
export function useQueryState<T>(
  parse: (query: string) => T,
  format: (query: string, value: T) => string,
): [T, (value: T) => void] {
  const search = useSearch();
  const [value, setValue] = useState(() => parse(location.search));
  const known = useRef(location.search);
  const functions = useRef({ parse, format });
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigation changes the query
  useEffect(() => {
    if (location.search === known.current) return;
    known.current = location.search;
    setValue(functions.current.parse(location.search));
  }, [search]);
  useEffect(() => {
    const path = location.pathname;
    const timer = setTimeout(() => {
      if (location.pathname !== path || location.search !== known.current) return;
      const query = functions.current.format(location.search, value);
      if (query === location.search.slice(1)) return;
      // Bypass the router: no screen depends on these parameters, and all subscribers would be notified.
      History.prototype.replaceState.call(history, history.state, '', query ? `${path}?${query}` : path);
      known.current = location.search;
    }, WRITE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return [value, setValue];
}
