import { describe, expect, it } from 'vitest';
import { fitAround, isUncovered } from './fit';
import type { Rect } from './geometry';

const WINDOW: Rect = { x: 0, y: 0, width: 1000, height: 800 };
const MINIMAP: Rect = { x: 800, y: 660, width: 190, height: 130 };
const TOOLBAR: Rect = { x: 300, y: 10, width: 400, height: 40 };
const LIMITS = { margin: 30, minZoom: 0.02, maxZoom: 1.25 };
const card = (x: number, y: number): Rect => ({ x, y, width: 180, height: 64 });

function fitted(components: readonly Rect[], covers: readonly Rect[]) {
  const view = fitAround({ all: components, components }, WINDOW, covers, LIMITS);
  if (!view) throw new Error('nothing to fit');
  return view;
}

describe('fitAround', () => {
  it('fills the window if nothing covers it', () => {
    const { zoom } = fitted([card(0, 0), card(1820, 1000)], []);
    expect(zoom).toBeCloseTo(940 / 2000);
  });

  it('leaves no component covered', () => {
    const components = [card(0, 0), card(900, 0), card(1820, 0), card(1820, 1400), card(0, 1400)];
    const covers = [TOOLBAR, MINIMAP];
    expect(isUncovered(components, covers, fitted(components, []))).toBe(false);
    expect(isUncovered(components, covers, fitted(components, covers))).toBe(true);
  });

  it('uses the whole window if there are no components under the covers', () => {
    const components = [card(0, 0), card(1820, 0), card(0, 1400)];
    expect(fitted(components, [MINIMAP])).toEqual(fitted(components, []));
  });

  it('has no view for an empty map', () => {
    expect(fitAround({ all: [], components: [] }, WINDOW, [], LIMITS)).toBeNull();
  });
});

it('never leaves a component under a cover, on windows and maps of many sizes', () => {
  let seed = 5;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (const [width, height] of [
    [1440, 852],
    [1048, 852],
    [816, 852],
    [1024, 720],
    [1920, 1032],
  ] as const) {
    const covers = [
      { x: width / 2 - 165, y: 12, width: 330, height: 44 },
      { x: width - 192, y: height - 172, width: 180, height: 160 },
    ];
    for (let map = 0; map < 40; map++) {
      const components = Array.from({ length: 2 + random(60) }, () => ({
        x: random(1 + map * 120),
        y: random(1 + map * 60),
        width: 180,
        height: 64,
      }));
      const limits = { margin: 48, minZoom: 0.02, maxZoom: 1 };
      const view = fitAround({ all: components, components }, { x: 0, y: 0, width, height }, covers, limits);
      expect(view && isUncovered(components, covers, view), `${width} ${map}`).toBe(true);
    }
  }
});
