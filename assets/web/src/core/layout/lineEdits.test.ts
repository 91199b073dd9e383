/** Operations that change the layout of lines. */
import { describe, expect, it } from 'vitest';
import type { Relationship, RelationshipLine } from '@/api/generated';
import { sample } from '../model/testing';
import type { Rows } from '../sync/rows';
import { moveWaypoints, reverseRelationship, setLayout } from './lineEdits';

/** Two components with a relationship that has a line. */
function rowsWith(line: RelationshipLine | null): Rows {
  const rows = sample({
    components: [{ id: 'web', x: 0, y: 0 }, { id: 'db', x: 400, y: 0 }, { id: 'other' }],
    relationships: [['web', 'calls', 'db']],
  });
  const row = rows.relationship.get('r0') as Relationship;
  return { ...rows, relationship: new Map([['r0', { ...row, line }]]) };
}

const LINE: RelationshipLine = {
  shape: 'routed',
  via: [
    [100, 200],
    [300, 220],
  ],
  labelPosition: 0.25,
};

const fieldsOf = (operations: readonly { op: string }[]) =>
  operations.map((operation) => (operation as unknown as { fields: unknown }).fields);

describe('waypoints', () => {
  it('move when both ends move by the same distance', () => {
    const moves = [
      { id: 'web', x: 40, y: 20 },
      { id: 'db', x: 440, y: 20 },
    ];
    const via = [
      [140, 220],
      [340, 240],
    ];
    expect(fieldsOf(moveWaypoints(rowsWith(LINE), moves))).toEqual([{ line: { ...LINE, via } }]);
  });

  it.each([
    ['one end moves', [{ id: 'web', x: 40, y: 20 }]],
    [
      'the ends move by different distances',
      [
        { id: 'web', x: 40, y: 20 },
        { id: 'db', x: 400, y: 20 },
      ],
    ],
  ])('stay when %s', (_, moves) => {
    expect(moveWaypoints(rowsWith(LINE), moves)).toEqual([]);
  });
});

it('a reversed relationship keeps its waypoints and label', () => {
  const rows = rowsWith(LINE);
  expect(fieldsOf(reverseRelationship(rows, rows.relationship.get('r0') as Relationship))).toEqual([
    {
      sourceId: 'db',
      targetId: 'web',
      line: {
        shape: 'routed',
        via: [
          [300, 220],
          [100, 200],
        ],
        labelPosition: 0.75,
      },
    },
  ]);
});

it('the default layout is stored as null', () => {
  expect(fieldsOf(setLayout(rowsWith(LINE), 'r0', { via: [] }))).toEqual([{ line: null }]);
  expect(setLayout(rowsWith(null), 'r0', { via: [] })).toEqual([]);
});
