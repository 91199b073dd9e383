// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { catalogue, sample } from '@/core/model/testing';
import { RectIndex } from '@/core/route/rectIndex';
import { NODE_SIZE, overlaps, type Rect } from '@/core/scene/geometry';
import { parseCsv } from '@/core/table/csv';
import { planSheetImport } from '@/core/table/importSheet';
import { setServerRows } from '@/workspace/store';
import { importedPlaces } from './importedPlaces';

const rows = sample({
  components: [
    { id: 'shop', typeId: 'group', x: 0, y: 0, width: 600, height: 400 },
    { id: 'empty', typeId: 'group', x: 2000, y: 0, width: 300, height: 200 },
    { id: 'web', x: 40, y: 80 },
    { id: 'inner', typeId: 'group', x: 0, y: 0 },
    { id: 'db', x: 1000, y: 1000 },
  ],
  relationships: [
    ['shop', 'contains', 'web'],
    ['inner', 'contains', 'db'],
  ],
});

function placesOf(text: string) {
  setServerRows(rows);
  const plan = planSheetImport(parseCsv(text), rows, catalogue);
  expect(plan.problems).toEqual([]);
  return importedPlaces(plan);
}

function overlapping(rects: readonly Rect[]): number {
  const index = new RectIndex(rects);
  let count = 0;
  for (const [at, rect] of rects.entries())
    index.visitRect(rect, (other, id) => {
      if (id > at && overlaps(other, rect)) count++;
    });
  return count;
}

describe('imported components', () => {
  it('are placed inside their group, whose frame is kept', () => {
    const places = placesOf('Name,Part of\nNew,shop\nFirst,empty\n');
    const at = places.get('new') as Rect;
    expect(at.x >= 20 && at.x <= 400 && at.y >= 60 && at.y <= 316).toBe(true);
    expect(overlaps({ ...at, ...NODE_SIZE }, { x: 40, y: 80, ...NODE_SIZE })).toBe(false);
    expect(places.get('empty')).toEqual({ x: 2000, y: 0, width: 300, height: 200 });
    expect(places.has('shop')).toBe(false);
  });

  it('take their contents with them, and leave the frame of an emptied group', () => {
    const places = placesOf('Id,Part of\ninner,shop\nweb,\n');
    const [inner, db] = [places.get('inner') as Rect, places.get('db') as Rect];
    // The group is drawn around its part.
    expect(db.x).toBeLessThan(600);
    expect(db.x - 20).toBe(inner.x + 980);
    expect(places.has('web')).toBe(true);
  });

  it('do not overlap when thousands are imported into one group', () => {
    const names = Array.from({ length: 3000 }, (_, at) => `Part ${at},shop`);
    const places = placesOf(`Name,Part of\n${names.join('\n')}\n`);
    const rects = [...places].filter(([id]) => id !== 'shop').map(([, at]) => ({ ...at, ...NODE_SIZE }));
    expect(rects).toHaveLength(3000);
    expect(overlapping([...rects, { x: 40, y: 80, ...NODE_SIZE }])).toBe(0);
  });
});
