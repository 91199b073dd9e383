// @vitest-environment jsdom
import mermaid from 'mermaid';
import Papa from 'papaparse';
import { beforeAll, expect, it } from 'vitest';
import { textWidth, wrapText } from '@/core/drawing/textMetrics';
import { EMPTY_GROUP_SIZE } from '@/core/scene/scene';
import { componentsCsv, relationshipsCsv } from './csv';
import { flowchart } from './flowchart';
import { type ExportModel, toExportScene } from './scene';
import { sceneToSvg } from './svg';

const catalogue: ExportModel['catalogue'] = {
  componentTypes: [{ id: 'service', name: 'Service', color: '#1d4f8c', icon: 'box', iconName: 'box' }],
  relationTypes: [
    { id: 'contains', name: 'contains', color: '#888888', directed: true },
    { id: 'calls', name: 'calls', color: '#aa3311', directed: true },
    { id: 'knows', name: 'knows', color: '#118833', directed: false },
  ],
};

const component = (id: string, name: string, x: number, y: number) => ({ id, name, typeId: 'service', x, y });
const relationship = (sourceId: string, targetId: string, typeId: string, label?: string) => ({
  id: `${sourceId}-${typeId}-${targetId}`,
  sourceId,
  targetId,
  typeId,
  ...(label === undefined ? {} : { label }),
});

const MODEL: ExportModel = {
  name: 'Shop',
  components: [
    component('shop', 'Shop', 0, 0),
    component('web', 'Web & <API>', 0, 100),
    component('db', 'Core "databases"', 400, 100),
  ],
  relationships: [
    relationship('shop', 'web', 'contains'),
    relationship('web', 'db', 'calls', 'reads'),
    relationship('db', 'web', 'calls'),
    relationship('db', 'db', 'knows'),
  ],
  catalogue,
};

/** A seeded pseudorandom number generator. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const NASTY = [
  '',
  '<script>alert(1)</script>',
  ']]>&amp;&lt;',
  '"quoted" \'text\'',
  '=1+1',
  '@SUM(A1)',
  '-2+3',
  '\u0000\u0007\ud800',
  'a,b;c\td\ne\r\nf',
  '漢字 かな 🗺️',
  '\u202eright to left',
  'end',
  '#quot;',
  'x'.repeat(10_000),
  '}|{[(%%',
];

function names(seed: number): string[] {
  const next = random(seed);
  const randomNames = Array.from({ length: 40 }, () =>
    String.fromCharCode(
      ...Array.from({ length: Math.floor(next() * 30) }, () => Math.floor(next() * 0x10000)),
    ),
  );
  return [...NASTY, ...randomNames];
}

function model(seed: number): ExportModel {
  const all = names(seed);
  const next = random(seed + 1);
  const any = () => `c${Math.floor(next() * all.length)}`;
  return {
    name: all[seed % all.length] ?? '',
    components: all.map((name, place) =>
      component(`c${place}`, name, next() * 2000 - 1000, next() * 2000 - 1000),
    ),
    relationships: all.map((name) =>
      relationship(any(), any(), next() < 0.3 ? 'contains' : next() < 0.5 ? 'calls' : 'odd<&"', name),
    ),
    catalogue,
  };
}

beforeAll(() => {
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    logLevel: 'fatal',
    maxTextSize: 1_000_000,
  });
});

it('draws lines along their routes, with labels at the same positions as on the map', () => {
  const points = [
    { x: 180, y: 132 },
    { x: 290, y: 132 },
    { x: 290, y: 182 },
    { x: 400, y: 164 },
  ];
  const label = { x: 270, y: 140, width: 40, height: 32, rows: ['reads', 'rows'] };
  const routes = {
    points: new Map([
      ['web-calls-db', points],
      ['db-calls-web', points],
    ]),
    labels: new Map([['web-calls-db', label]]),
  };
  const svg = sceneToSvg(toExportScene({ ...MODEL, routes }), { theme: 'light' });
  expect(svg).toContain('d="M180 132L283 132Q290 132 290 139L290 175');
  expect(svg).toMatch(/<text x="290" y="153"[^>]*>reads<.*<text x="290" y="167"[^>]*>rows</);
  // The other line does not start where its route starts, so it is drawn straight.
  expect(svg).toContain('d="M400 118L180 118"');
});

it('draws cards at the same size as on the map', () => {
  const { shapes } = toExportScene({ ...MODEL, sizes: new Map([['web', { width: 220, height: 84 }]]) });
  expect(shapes.find(({ id }) => id === 'web')?.rect).toMatchObject({ width: 220, height: 84 });
});

it('draws a small map', () => {
  expect(sceneToSvg(toExportScene(MODEL), { theme: 'light' })).toMatchSnapshot();
});

it('draws a group around its contents, and lines between borders', () => {
  const { shapes, lines } = toExportScene(MODEL);
  expect(shapes[0]).toMatchObject({ id: 'shop', isGroup: true });
  expect(shapes[0]?.rect).toEqual({ x: -20, y: 40, width: 220, height: 144 });
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatchObject({ from: { x: 180 }, to: { x: 400 }, label: 'reads' });
  // Lines between the same components do not overlap.
  expect(lines[0]?.from.y).not.toBe(lines[1]?.to.y);
});

it('draws groups with their size even if they are empty', () => {
  const area = { ...component('area', 'Area', 900, 0), typeId: 'group' };
  const sized = { ...component('shop', 'Shop', -100, 0), width: 600, height: 400 };
  const components = [sized, ...MODEL.components.slice(1), area];
  const { shapes } = toExportScene({ ...MODEL, components });
  const rectOf = (id: string) => shapes.find((shape) => shape.id === id && shape.isGroup)?.rect;
  expect(rectOf('area')).toEqual({ x: 900, y: 0, ...EMPTY_GROUP_SIZE });
  expect(rectOf('shop')).toEqual({ x: -100, y: 0, width: 600, height: 400 });
});

it('draws well-formed XML for any names', () => {
  for (let seed = 1; seed <= 4; seed++) {
    for (const theme of ['light', 'dark'] as const) {
      const svg = sceneToSvg(toExportScene(model(seed)), { theme });
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      expect(parsed.querySelector('parsererror')?.textContent).toBeUndefined();
      expect(parsed.querySelector('script')).toBeNull();
      expect(svg).not.toContain('NaN');
      expect(svg).not.toContain('Infinity');
    }
  }
});

it('draws empty maps and containment cycles', () => {
  const empty = sceneToSvg(toExportScene({ ...MODEL, components: [], relationships: [] }), { theme: 'dark' });
  expect(empty).toContain('<svg');
  const relationships = [relationship('web', 'db', 'contains'), relationship('db', 'web', 'contains')];
  expect(toExportScene({ ...MODEL, relationships }).shapes).toHaveLength(3);
});

it('writes a valid Mermaid flowchart for any names', async () => {
  expect(flowchart(MODEL)).toMatchSnapshot();
  for (let seed = 1; seed <= 5; seed++) {
    await expect(mermaid.parse(flowchart(model(seed)))).resolves.toMatchObject({
      diagramType: 'flowchart-v2',
    });
  }
});

it('writes tables that can be parsed again and contain no formulas', () => {
  const { components, relationships } = model(3);
  const full = components.map((component) => ({ ...component, properties: { lifecycle: 'live', cost: 3 } }));
  const csv = componentsCsv(full, relationships, catalogue);
  const { data, errors } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  expect(data.map(({ id }) => id)).toEqual(components.map(({ id }) => id));
  data.forEach(({ name = '' }, place) => {
    expect(name.replace(/^'/, '')).toBe((components[place]?.name ?? '').replace(/^'/, ''));
    expect(name).not.toMatch(/^[=+\-@\t\r]/);
  });
  const byId = new Map(components.map((component) => [component.id, component]));
  const ways = Papa.parse<Record<string, string>>(relationshipsCsv(relationships, byId, catalogue), {
    header: true,
    skipEmptyLines: true,
  });
  expect(ways.errors).toEqual([]);
  expect(ways.data).toHaveLength(relationships.length);
});

it('breaks names into lines that fit', () => {
  for (const name of names(7)) {
    for (const line of wrapText(name, 16, 156, 2)) expect(textWidth(line, 16)).toBeLessThanOrEqual(156);
    expect(wrapText(name, 16, 156, 2).length).toBeLessThanOrEqual(2);
  }
});
