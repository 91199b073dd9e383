/**
 * Relationship labels, tested against fixtures and on whole maps. Each file in `labelCases` contains nodes, lines with their
 * texts, and the labels that any implementation must return. To update the labels, run `UPDATE_ROUTES=1 npx vitest run
 * src/core/route` and review the difference.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { overlaps, type Point } from '../scene/geometry';
import { nodeRects, type Scene } from '../scene/scene';
import { LabelPlacer, type PlacedLabel } from './labels';
import { routeMap, routeTask } from './mapRoutes';
import { countLabelFaults } from './measure';
import { irregularMap, mapScene, sampleScene } from './testing';
import type { RouteNode } from './types';

const card = (x: number, y: number): RouteNode => ({
  x,
  y,
  width: 180,
  height: 64,
  isGroup: false,
  parent: -1,
  titles: [],
});
const line = (x: number): Point[] => [
  { x, y: 0 },
  { x, y: 400 },
];

function labelsOf(scene: Scene, style: 'routed' | 'straight' = 'routed') {
  const task = routeTask(scene, nodeRects(scene), style, new Map(), (typeId) => typeId);
  return { task, labels: routeMap(task).labels };
}

interface LabelCase {
  title: string;
  nodes: RouteNode[];
  lines: { points: Point[] | null; text: string; labelAt?: number }[];
  labels: (PlacedLabel | null)[];
}

const FOLDER = `${import.meta.dirname}/labelCases/`;

/** Rounds coordinates and sizes to hundredths of a pixel. */
const rounded = (label: PlacedLabel | null) => {
  const round = (value: number) => Math.round(value * 100) / 100;
  if (!label) return null;
  const { x, y, width, height, rows } = label;
  return { x: round(x), y: round(y), width: round(width), height: round(height), rows };
};

describe('fixtures', () => {
  for (const file of readdirSync(FOLDER)) {
    const known = JSON.parse(readFileSync(FOLDER + file, 'utf8')) as LabelCase;
    it(known.title, () => {
      const { nodes, lines } = known;
      const placer = new LabelPlacer(
        nodes,
        lines.map(({ points }) => points),
      );
      const placed = placer.placeAll(
        lines.map(({ text }) => text),
        lines.map(({ labelAt }) => labelAt),
      );
      const labels = placed.map(rounded);
      if (process.env.UPDATE_ROUTES)
        writeFileSync(FOLDER + file, `${JSON.stringify({ ...known, labels }, null, 1)}\n`);
      else expect(labels).toEqual(known.labels);
    });
  }
});

describe('relationship labels', () => {
  it('are placed at the middle of the line', () => {
    const [label] = new LabelPlacer([], [line(100)]).placeAll(['reads']) as [PlacedLabel];
    expect(label.x + label.width / 2).toBe(100);
    expect(label.y + label.height / 2).toBe(200);
    expect(label.rows).toEqual(['reads']);
  });

  it('do not overlap when lines are close together', () => {
    const lines = [100, 110, 120, 130].map(line);
    const labels = new LabelPlacer([], lines).placeAll(lines.map(() => 'reads orders'));
    expect(countLabelFaults({ nodes: [], lines: [] }, labels)).toEqual({
      placed: 4,
      overCards: 0,
      overLabels: 0,
    });
  });

  it('wrap to two rows in narrow spaces', () => {
    const cards = [0, 80, 160, 240, 320].flatMap((y) => [card(-130, y), card(180, y)]);
    const [label] = new LabelPlacer(cards, [line(115)]).placeAll(['sends all orders of the day']);
    expect(label?.rows).toEqual(['sends all orders', 'of the day']);
  });

  it('keep a chosen position, and other labels avoid it', () => {
    const labels = new LabelPlacer([], [line(100), line(104)]).placeAll(['reads', 'calls'], [undefined, 0.5]);
    const [first, second] = labels as [PlacedLabel, PlacedLabel];
    expect(second.y + second.height / 2).toBe(200);
    expect(overlaps(first, second)).toBe(false);
  });

  it('are hidden if they would cover a card, unless required', () => {
    const between: Point[] = [
      { x: 180, y: 32 },
      { x: 190, y: 32 },
    ];
    const cards = [card(0, 0), card(190, 0), card(0, 70), card(190, 70), card(0, -70), card(190, -70)];
    const placer = new LabelPlacer(cards, [between]);
    expect(placer.placeAll(['reads'])).toEqual([null]);
    expect(placer.placeOn(between, 'reads', 0, true)?.rows).toEqual(['reads']);
  });

  it('do not cover labels that are already placed', () => {
    const [first] = new LabelPlacer([], [line(100), line(104)]).placeAll(['reads', '']);
    const placer = new LabelPlacer([], [line(100), line(104)], [first as PlacedLabel]);
    const second = placer.placeOn(line(104), 'calls', 1) as PlacedLabel;
    expect(overlaps(first as PlacedLabel, second)).toBe(false);
  });
});

describe('labels on a map', () => {
  it('cover no cards, titles or other labels, and none are missing on the sample map', () => {
    const { task, labels } = labelsOf(sampleScene());
    expect(countLabelFaults(task.input, labels)).toMatchObject({ overCards: 0, overLabels: 0 });
    expect(labels.map((label) => label !== null)).toEqual(task.texts.map((text) => text !== ''));
  });

  it.each(['routed', 'straight'] as const)('cover nothing on an irregular map with %s lines', (style) => {
    const { task, labels } = labelsOf(mapScene(irregularMap(100)), style);
    const counts = countLabelFaults(task.input, labels);
    expect(counts).toMatchObject({ overCards: 0, overLabels: 0 });
    expect(counts.placed).toBeGreaterThan(task.texts.filter(Boolean).length * 0.9);
  });
});
