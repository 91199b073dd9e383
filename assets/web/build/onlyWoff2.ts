import type { Plugin } from 'vite';

/** A source of a font in the older format WOFF, after another source. */
const WOFF = /,\s*url\([^)]*\.woff\)\s*format\((['"])woff\1\)/g;

/** Excludes fonts in the format WOFF, because all supported browsers can read WOFF2. */
export function onlyWoff2(): Plugin {
  return {
    name: 'only-woff2',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      return id.endsWith('.css') && id.includes('/@fontsource') ? code.replace(WOFF, '') : null;
    },
  };
}
