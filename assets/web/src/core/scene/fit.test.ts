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
