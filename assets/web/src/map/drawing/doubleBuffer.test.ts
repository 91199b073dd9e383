/** What is seen while another drawing is made, frame by frame. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildScene, nodeRects } from '@/core/scene/scene';
import { testRows } from '@/core/scene/testing';
import { DoubleBuffer, type DrawRequest } from './doubleBuffer';
import type { DrawingContext, MapDrawing } from './drawing';

/** Enough lines for some frames. */
const rows = testRows(
  [
    ['web', 0, 0],
    ['api', 400, 0],
  ],
  Array.from({ length: 1500 }, () => ['web', 'calls', 'api'] as const),
);
const scene = buildScene(rows, new Set());
const relation = { id: 'calls', name: 'calls', color: '#888888', directed: true };

function drawRequest(given: string, x = 0, zoom = 0.5): DrawRequest {
  const drawing = {
    scene,
    rects: nodeRects(scene),
    viewport: { x, y: 0, zoom },
    width: 1000,
    height: 1000,
    appearance: { passes: () => true, passesRelation: () => true, relationOf: () => relation },
    colors: new Proxy({}, { get: (_, name) => (name === 'lightened' ? () => 'plain' : String(name)) }),
    isOverview: false,
    lines: true,
    selectedComponents: new Set(),
    selectedRelationships: new Set(),
    hovered: [],
    highlight: null,
    highlights: new Map(),
  };
  return { given: [given], drawing: drawing as unknown as MapDrawing };
}

function fakeContext() {
  const state: Record<string, unknown> = {
    canvas: { width: 1, height: 1, style: {} as Record<string, string> },
  };
  const context = new Proxy(state, { get: (of, name: string) => (name in of ? of[name] : () => {}) });
  return context as unknown as DrawingContext;
}

let frames: (() => void)[] = [];
/** Lets so many frames go by. */
const pass = (count: number) => {
  for (let frame = 0; frame < count; frame++) for (const run of frames.splice(0)) run();
};

beforeEach(() => {
  frames = [];
  vi.stubGlobal('devicePixelRatio', 1);
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = [];
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('a double buffer', () => {
  const startBuffer = () => {
    const [front, back] = [fakeContext(), fakeContext()];
    const onShown = vi.fn();
    const buffer = new DoubleBuffer(front, back, onShown);
    const first = drawRequest('one');
    buffer.show(first);
    return { front, back, onShown, buffer, first };
  };

  it('shows the first drawing at once', () => {
    const { buffer, first, onShown } = startBuffer();
    expect(buffer.displayed).toBe(first.drawing);
    expect(frames).toHaveLength(0);
    expect(onShown).not.toHaveBeenCalled();
  });

  it('keeps a drawing in sight until the next is done, some frames later', () => {
    const { buffer, first, onShown } = startBuffer();
    const next = drawRequest('two');
    buffer.show(next);
    pass(1);
    expect(buffer.displayed).toBe(first.drawing);
    pass(5);
    expect(buffer.displayed).toBe(next.drawing);
    expect(onShown).toHaveBeenCalledTimes(1);
  });

  it('goes on with what is wanted by then, not with all that was wanted between', () => {
    const { buffer, onShown } = startBuffer();
    const [two, three, four] = [drawRequest('two'), drawRequest('three'), drawRequest('four')];
    for (const one of [two, three, four]) buffer.show(one);
    pass(4);
    expect(buffer.displayed).toBe(two.drawing);
    pass(8);
    expect(buffer.displayed).toBe(four.drawing);
    expect(onShown).toHaveBeenCalledTimes(2);
  });

  it('shifts the drawing while the map pans, and redraws it afterwards', () => {
    const { buffer, first, back } = startBuffer();
    const moved = drawRequest('one', 30);
    buffer.show(moved);
    pass(8);
    expect(buffer.displayed).toBe(first.drawing);
    expect(back.canvas.style.transform).toBe('translate(-130px, -160px) scale(1)');
    expect(buffer.isSharp).toBe(false);
    buffer.sharpen();
    pass(8);
    expect(buffer.isSharp).toBe(true);
  });

  it('scales it while the map zooms, however far', () => {
    const { buffer, back, first } = startBuffer();
    buffer.show(drawRequest('one', 0, 2));
    expect(buffer.displayed).toBe(first.drawing);
    expect(back.canvas.style.transform).toContain('scale(4)');
    pass(8);
    expect(buffer.displayed?.viewport.zoom).toBe(2);
  });
});
