import { beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_ROUTES } from '@/core/route/mapRoutes';
import { buildScene, nodeRects } from '@/core/scene/scene';
import { testRows } from '@/core/scene/testing';
import { DoubleBuffer, type DrawRequest } from './doubleBuffer';
import type { DrawingContext, MapDrawing } from './drawing';

/** Enough lines that painting takes several frames. */
const rows = testRows(
  [
    ['web', 0, 0],
    ['api', 400, 0],
  ],
  Array.from({ length: 1500 }, () => ['web', 'calls', 'api'] as const),
);
const scene = buildScene(rows, new Set());
const relation = {
  id: 'calls',
  name: 'calls',
  color: '#888888',
  directed: true,
  dependsOn: 'target' as const,
};

function drawRequest(inputs: string, x = 0, zoom = 0.5): DrawRequest {
  const drawing = {
    scene,
    rects: nodeRects(scene),
    viewport: { x, y: 0, zoom },
    width: 1000,
    height: 1000,
    appearance: { passes: () => true, passesRelation: () => true, relationOf: () => relation },
    colors: new Proxy({}, { get: (_, name) => (name === 'lightened' ? () => 'plain' : String(name)) }),
    isOverview: false,
    routes: NO_ROUTES,
    selectedComponents: new Set(),
    selectedRelationships: new Set(),
    hovered: [],
    highlight: null,
    highlights: new Map(),
  };
  return { inputs: [inputs], drawing: drawing as unknown as MapDrawing };
}

function fakeContext() {
  const state: Record<string, unknown> = {
    canvas: { width: 1, height: 1, style: {} as Record<string, string> },
  };
  const context = new Proxy(state, { get: (of, name: string) => (name in of ? of[name] : () => {}) });
  return context as unknown as DrawingContext;
}

let frames: (() => void)[] = [];
/** Runs the given number of animation frames. */
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

describe('a double buffer', () => {
  const startBuffer = () => {
    const [front, back] = [fakeContext(), fakeContext()];
    const onShown = vi.fn();
    const buffer = new DoubleBuffer(front, back, onShown);
    const first = drawRequest('one');
    buffer.show(first);
    return { front, back, onShown, buffer, first };
  };

  it('shows the first drawing immediately', () => {
    const { buffer, first, onShown } = startBuffer();
    expect(buffer.displayed).toBe(first.drawing);
    expect(frames).toHaveLength(0);
    expect(onShown).not.toHaveBeenCalled();
  });

  it('shows the previous drawing until the next one is complete, some frames later', () => {
    const { buffer, first, onShown } = startBuffer();
    const next = drawRequest('two');
    buffer.show(next);
    pass(1);
    expect(buffer.displayed).toBe(first.drawing);
    pass(12);
    expect(buffer.displayed).toBe(next.drawing);
    expect(onShown).toHaveBeenCalledTimes(1);
  });

  it('continues with the latest request and skips earlier ones', () => {
    const { buffer, onShown } = startBuffer();
    const [two, three, four] = [drawRequest('two'), drawRequest('three'), drawRequest('four')];
    for (const request of [two, three, four]) buffer.show(request);
    pass(20);
    expect(buffer.displayed).toBe(four.drawing);
    expect(onShown).toHaveBeenCalledTimes(2);
  });

  it('shifts the drawing while the map pans, and repaints it afterward', () => {
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

  it('scales the drawing while the map zooms, at any scale', () => {
    const { buffer, back, first } = startBuffer();
    buffer.show(drawRequest('one', 0, 2));
    expect(buffer.displayed).toBe(first.drawing);
    expect(back.canvas.style.transform).toContain('scale(4)');
    pass(8);
    expect(buffer.displayed?.viewport.zoom).toBe(2);
  });
});
