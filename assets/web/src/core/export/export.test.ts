// @vitest-environment jsdom
import mermaid from 'mermaid';
import Papa from 'papaparse';
import { beforeAll, expect, it } from 'vitest';
import { textWidth, wrapText } from '@/core/drawing/textMetrics';
import { relationshipsCsv } from './csv';
import { flowchart } from './flowchart';
import type { ExportModel } from './model';
import { NASTY_NAMES, random } from './testing';

const catalogue: ExportModel['catalogue'] = {
  componentTypes: [{ id: 'service', name: 'Service', color: '#1d4f8c', icon: 'box', iconName: 'box' }],
  relationTypes: [
    { id: 'contains', name: 'contains', color: '#888888', directed: true, dependsOn: 'none' },
    { id: 'calls', name: 'calls', color: '#aa3311', directed: true, dependsOn: 'target' },
    { id: 'knows', name: 'knows', color: '#118833', directed: false, dependsOn: 'none' },
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

function names(seed: number): string[] {
  const next = random(seed);
  const randomNames = Array.from({ length: 40 }, () =>
    String.fromCharCode(
      ...Array.from({ length: Math.floor(next() * 30) }, () => Math.floor(next() * 0x10000)),
    ),
  );
  return [...NASTY_NAMES, ...randomNames];
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

it('writes a valid Mermaid flowchart for any names', async () => {
  expect(flowchart(MODEL)).toMatchSnapshot();
  for (let seed = 1; seed <= 5; seed++) {
    await expect(mermaid.parse(flowchart(model(seed)))).resolves.toMatchObject({
      diagramType: 'flowchart-v2',
    });
  }
});

it('writes a table of relationships that can be parsed again and contains no formulas', () => {
  const { components, relationships } = model(3);
  const byId = new Map(components.map((component) => [component.id, component]));
  const ways = Papa.parse<Record<string, string>>(relationshipsCsv(relationships, byId, catalogue), {
    header: true,
    skipEmptyLines: true,
  });
  expect(ways.errors).toEqual([]);
  expect(ways.data).toHaveLength(relationships.length);
  for (const row of ways.data)
    for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
});

it('breaks names into lines that fit', () => {
  for (const name of names(7)) {
    for (const line of wrapText(name, 16, 156, 2)) expect(textWidth(line, 16)).toBeLessThanOrEqual(156);
    expect(wrapText(name, 16, 156, 2).length).toBeLessThanOrEqual(2);
  }
});
