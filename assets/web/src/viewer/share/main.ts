/**
 * The script of pages that show a shared map. The page contains `<main id="share" data-base="…">`: the drawing is loaded from
 * `image.svg` and the model from `model.json` below the path in `data-base`. `data-theme` sets a theme; otherwise that of
 * the browser is followed. The element contains an image for browsers without scripts, which the viewer replaces when it
 * has loaded the map.
 */

import latin500 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-500-normal.woff2?url';
import latin600 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-600-normal.woff2?url';
import latinExt500 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-ext-500-normal.woff2?url';
import latinExt600 from '@fontsource/barlow-condensed/files/barlow-condensed-latin-ext-600-normal.woff2?url';
import type { Theme } from '../source';
import { Viewer } from '../viewer';
import { ShareSource } from './source';

const LATIN =
  'U+0000-00FF, U+0131, U+0152-0153, U+02C6, U+02DA, U+02DC, U+2000-206F, U+20AC, U+2122, U+2191-2193';
const LATIN_EXT = 'U+0100-0130, U+0132-0151, U+0154-02C5, U+02C7-02D9, U+1E00-1EFF, U+20A0-20AB, U+20AD-20C0';

/** The fonts of the map, in which the server measures texts. */
async function loadFonts(): Promise<void> {
  const faces = [
    [latin500, '500', LATIN],
    [latin600, '600', LATIN],
    [latinExt500, '500', LATIN_EXT],
    [latinExt600, '600', LATIN_EXT],
  ] as const;
  for (const [url, weight, unicodeRange] of faces) {
    document.fonts.add(new FontFace('Barlow Condensed', `url(${url})`, { weight, unicodeRange }));
  }
  // Those for the drawing's other characters are loaded when they occur.
  const loaded = ['500', '600'].map((weight) => document.fonts.load(`${weight} 16px "Barlow Condensed"`));
  await Promise.allSettled(loaded);
}

async function start(root: HTMLElement): Promise<void> {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const theme = (): Theme => {
    const fixed = root.dataset.theme;
    if (fixed === 'light' || fixed === 'dark') return fixed;
    return dark.matches ? 'dark' : 'light';
  };
  const source = new ShareSource(new URL(root.dataset.base ?? './', location.href));
  if (root.dataset.kind !== 'embed' && document.fullscreenEnabled) {
    source.toggleFullscreen = () =>
      void (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()).catch(
        () => undefined,
      );
  }
  const viewer = new Viewer(source, theme(), 'full');
  document.addEventListener('fullscreenchange', () =>
    viewer.setFullscreen(document.fullscreenElement !== null),
  );
  dark.addEventListener('change', () => viewer.setTheme(theme()));
  viewer.setAbilities(source.toggleFullscreen !== undefined);
  await loadFonts();
  root.replaceChildren(viewer.root);
  await viewer.load();
}

const root = document.getElementById('share');
if (root) await start(root);
