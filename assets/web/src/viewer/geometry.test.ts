import { describe, expect, it } from 'vitest';
import { type Camera, cameraFor, edge, neighbor, pan, type Rect, viewBox, zoom } from './geometry';

const STAGE = { width: 800, height: 400 };
const AREA: Rect = { x: -100, y: -50, width: 2_000, height: 500 };

/** The point of the map at a point of the stage. */
function mapped(camera: Camera, x: number, y: number) {
  const box = viewBox(camera, STAGE);
  return { x: box.x + x / camera.scale, y: box.y + y / camera.scale };
}

describe('the camera', () => {
  it('shows a whole area in the middle of the stage, and enlarges small areas only a little', () => {
    const camera = cameraFor(AREA, STAGE);
    expect(camera).toEqual({ x: 900, y: 200, scale: 0.4 });
    expect(viewBox(camera, STAGE)).toMatchObject({ x: -100, width: 2_000 });
    expect(cameraFor({ x: 0, y: 0, width: 10, height: 10 }, STAGE).scale).toBe(1.25);
    expect(cameraFor({ x: 0, y: 0, width: 0, height: 0 }, { width: 0, height: 0 }).scale).toBe(1);
  });

  it('keeps the point under the pointer when it zooms, within limits', () => {
    let camera = cameraFor(AREA, STAGE);
    for (const factor of [1.3, 1.3, 0.5, 2]) {
      const before = mapped(camera, 123, 321);
      camera = zoom(camera, factor, { x: 123, y: 321 }, STAGE);
      const after = mapped(camera, 123, 321);
      expect(after.x).toBeCloseTo(before.x);
      expect(after.y).toBeCloseTo(before.y);
    }
    expect(zoom(camera, 1e9, { x: 0, y: 0 }, STAGE).scale).toBe(4);
    expect(zoom(camera, 1e-9, { x: 0, y: 0 }, STAGE).scale).toBe(0.02);
  });

  it('never loses the map', () => {
    const camera = pan(cameraFor(AREA, STAGE), 1e6, -1e6, AREA);
    expect([camera.x, camera.y]).toEqual([AREA.x, AREA.y + AREA.height]);
  });
});

describe('arrow keys', () => {
  const rect = (x: number, y: number): Rect => ({ x, y, width: 10, height: 10 });
  const all = new Map([
    ['middle', rect(100, 100)],
    ['right', rect(200, 110)],
    ['far right', rect(300, 100)],
    ['above', rect(110, 0)],
  ]);

  it('go to the nearest component in their direction', () => {
    expect(neighbor(rect(100, 100), all, 'ArrowRight')).toBe('right');
    expect(neighbor(rect(100, 100), all, 'ArrowUp')).toBe('above');
    expect(neighbor(rect(100, 100), all, 'ArrowLeft')).toBeUndefined();
  });
});

describe('an arrow', () => {
  it('starts where the line to the other center leaves the rectangle', () => {
    const card = { x: 0, y: 0, width: 100, height: 50 };
    expect(edge(card, { x: 250, y: 25 })).toEqual({ x: 100, y: 25 });
    expect(edge(card, { x: 50, y: -75 })).toEqual({ x: 50, y: 0 });
    expect(edge(card, { x: 60, y: 30 })).toEqual({ x: 60, y: 30 });
  });
});
