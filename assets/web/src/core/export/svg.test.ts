// @vitest-environment jsdom
/** Exported images show the same as the map. */
import { describe, expect, it } from 'vitest';
import type { Component, Relationship } from '@/api/generated';
import { shapeOf } from '../drawing/shapes';
import { lineRoutes, routeMap, routeTask } from '../route/mapRoutes';
import { sampleScene } from '../route/testing';
import { cardSizes } from '../scene/cardSizes';
import { buildScene, nodeRects, type Scene } from '../scene/scene';
import { testRows } from '../scene/testing';
import { type ShownMap, toExportScene } from './scene';
import { sceneToSvg } from './svg';
import { NASTY_NAMES } from './testing';

/** The map of a scene, with its routes. */
function shown(scene: Scene, style: 'routed' | 'straight' = 'routed'): ShownMap {
  const cards = cardSizes(scene, ({ name, typeId, description = '' }, isCollapsed) => ({
    shape: shapeOf(typeId, isCollapsed),
    name,
    note: typeId,
    description: description ?? '',
    hasOwner: true,
    hasLifecycle: true,
  }));
  const rects = nodeRects(scene, null, cards);
  const task = routeTask(scene, rects, style, new Map(), (id) => id);
  const routes = lineRoutes(scene, task.input.nodes, routeMap(task), style);
  return {
    name: 'Map',
    scene,
    rects,
    cards,
    routes,
    look: {
      component: ({ properties }, content) => ({
        color: '#3B82F6',
        note: content?.note ?? '',
        icon: '<path d="M1 2h3"/>',
        lifecycle: properties?.lifecycle as string | undefined,
        owner: { initials: 'AL', color: '#aa3311' },
        isDimmed: false,
      }),
      line: (typeId) => ({ color: '#2563EB', directed: typeId !== 'knows' }),
      isLineShown: (typeId) => typeId !== 'hidden',
    },
  };
}

/** Two components with one relationship. */
function pair(line: Relationship['line'] = null, typeId = 'calls', lifecycle?: string): Scene {
  const rows = testRows(
    [
      ['web', 0, 0],
      ['db', 500, 0],
    ],
    [['web', typeId, 'db']],
  );
  const relationship = { ...(rows.relationship.get('r0') as Relationship), label: 'reads', line };
  const web = { ...(rows.component.get('web') as Component), properties: { lifecycle } };
  return buildScene(
    {
      component: new Map([...rows.component, ['web', web as Component]]),
      relationship: new Map([['r0', relationship]]),
    },
    new Set(),
  );
}

const parse = (svg: string) => new DOMParser().parseFromString(svg, 'image/svg+xml');
const svgOf = (map: ShownMap) => sceneToSvg(toExportScene(map), { theme: 'light' });

describe('an exported image of the sample map', () => {
  const map = shown(sampleScene());
  const scene = toExportScene(map);
  const document = parse(sceneToSvg(scene, { theme: 'light' }));

  it('has the routes and labels of the map', () => {
    expect(scene.lines).toHaveLength(map.scene.lines.length);
    for (const { id, path, label } of scene.lines) {
      expect(path.points).toBe(map.routes.points.get(id));
      expect(label).toBe(map.routes.labels.get(id) ?? null);
    }
    const labels = scene.lines.flatMap(({ label }) => label?.rows ?? []);
    const texts = [...document.querySelectorAll('text[font-weight="500"]')].map((text) => text.textContent);
    expect(texts).toEqual(labels);
  });

  it('has the cards and groups of the map, in the same places', () => {
    const rect = (id: string) => map.rects[map.scene.indexOf.get(id) as number];
    for (const { id, rect: drawn } of [...scene.cards, ...scene.groups]) expect(drawn).toBe(rect(id));
    expect(scene.cards.length + scene.groups.length).toBe(map.scene.nodes.length);
    const frames = [...document.querySelectorAll('[data-group] > rect:first-child')].map((frame) =>
      ['x', 'y', 'width', 'height'].map((name) => Number(frame.getAttribute(name))),
    );
    expect(frames).toEqual(scene.groups.map(({ rect: { x, y, width, height } }) => [x, y, width, height]));
    expect(document.querySelectorAll('[data-shape]')).toHaveLength(scene.cards.length);
  });

  it('has an icon on each card whose shape shows none, and on each group', () => {
    const figures = scene.cards.filter(({ content }) => content.shape === 'person').length;
    const icons = document.querySelectorAll('path[d="M1 2h3"]').length;
    expect(icons).toBe(scene.cards.length - figures + scene.groups.length);
  });
});

it('draws waypoints and chosen label positions', () => {
  const via = [
    [300, 300],
    [400, 300],
  ];
  const { lines } = toExportScene(shown(pair({ via, labelPosition: 0.1 })));
  expect(lines[0]?.path.points.map(({ y }) => y)).toContain(300);
  const straight = toExportScene(shown(pair({ via, shape: 'straight' }))).lines[0];
  expect(straight?.path.points.slice(1, -1)).toEqual([
    { x: 300, y: 300 },
    { x: 400, y: 300 },
  ]);
  const middle = toExportScene(shown(pair({ via }))).lines[0]?.label;
  expect(lines[0]?.label?.y).not.toBe(middle?.y);
});

it('draws undirected lines dashed and without an arrow', () => {
  expect(svgOf(shown(pair(null, 'knows')))).toContain('stroke-dasharray="6 4"/>');
  expect(svgOf(shown(pair(null, 'calls')))).not.toContain('stroke-dasharray');
  expect(svgOf(shown(pair(null, 'calls')))).toContain('marker-end');
});

it('leaves out lines that are hidden by filters', () => {
  expect(toExportScene(shown(pair(null, 'hidden'))).lines).toEqual([]);
});

it.each(['idea', 'building', 'deprecated', 'retired', 'own'])('draws the lifecycle state %s', (state) => {
  const document = parse(svgOf(shown(pair(null, 'calls', state))));
  expect(document.querySelectorAll(`[data-lifecycle="${state}"] > *`).length).toBeGreaterThan(0);
});

it('draws only the selection, with the contents of selected groups', () => {
  const rows = testRows(
    [
      ['group', 0, 0],
      ['inside', 0, 100],
      ['outside', 500, 100],
    ],
    [
      ['group', 'contains', 'inside'],
      ['inside', 'calls', 'outside'],
    ],
  );
  const map = shown(buildScene(rows, new Set()));
  const scene = toExportScene({ ...map, isIncluded: (id) => id === 'group' });
  expect(scene.groups.map(({ id }) => id)).toEqual(['group']);
  expect(scene.cards.map(({ id }) => id)).toEqual(['inside']);
  expect(scene.lines).toEqual([]);
  expect(toExportScene(map).lines).toHaveLength(1);
});

it('is well-formed XML for any names, and for an empty map', () => {
  const rows = testRows(NASTY_NAMES.map((name, at) => [name, at * 200, (at % 3) * 120] as const));
  for (const theme of ['light', 'dark'] as const) {
    const svg = sceneToSvg(toExportScene(shown(buildScene(rows, new Set()))), { theme });
    const parsed = parse(svg);
    expect(parsed.querySelector('parsererror')?.textContent).toBeUndefined();
    expect(parsed.querySelector('script')).toBeNull();
    expect(svg).not.toMatch(/NaN|Infinity/);
  }
  expect(svgOf(shown(buildScene(testRows([]), new Set())))).toContain('<svg');
});
