import { describe, expect, it } from 'vitest';
import type { Bundle } from '@/api/generated';
import { type Digest, toDigest } from './digest';
import { drawThumbnail } from './thumbnail';

const component = (id: string, x: number, y: number, typeId = 'service') => ({
  id,
  name: id,
  typeId,
  x,
  y,
  properties: {},
});

describe('a digest', () => {
  it('contains the kinds of components', () => {
    const components = [
      { ...component('web', 0, 0), properties: { kind: 'ledger', cost: 3 } },
      { ...component('api', 0, 0), properties: { kind: 7 } },
    ];
    const digest = toDigest({ components, relationships: [], stakeholders: [] } as unknown as Bundle);
    expect(digest.components.map(({ customType }) => customType)).toEqual(['ledger', undefined]);
  });

  it('contains stakeholders, and omits lines with a missing end', () => {
    const digest = toDigest({
      components: [component('web', 0, 0), component('api', 300, 0)],
      relationships: [
        { sourceId: 'web', targetId: 'api', typeId: 'calls' },
        { sourceId: 'web', targetId: 'gone', typeId: 'calls' },
      ],
      stakeholders: [{ componentId: 'web', personId: 'ada', teamId: null, linkType: 'owner' }],
    } as unknown as Bundle);
    expect(digest.lines).toEqual([{ from: 0, to: 1, contains: false }]);
    expect(digest.stakeholders).toEqual([
      { componentId: 'web', personId: 'ada', teamId: null, roleId: 'owner' },
    ]);
  });
});

describe('a thumbnail', () => {
  const color = ({ typeId }: { typeId: string }) => (typeId === 'service' ? 'blue' : 'red');
  const digest = (lines: Digest['lines']): Digest => ({
    components: [component('shop', 0, 0, 'system'), component('web', 400, 200), component('api', 0, 400)],
    lines,
    stakeholders: [],
  });

  it('is undefined for an empty map', () => {
    expect(drawThumbnail({ components: [], lines: [], stakeholders: [] }, color)).toBeNull();
  });

  it('has one path per color', () => {
    const drawn = drawThumbnail(digest([{ from: 1, to: 2, contains: false }]), color);
    expect(drawn?.boxes.map((box) => box.color)).toEqual(['red', 'blue']);
    expect(drawn?.lines.match(/M/g)).toHaveLength(1);
  });

  it('outlines groups, even with containment cycles', () => {
    const around = drawThumbnail(
      digest([
        { from: 0, to: 1, contains: true },
        { from: 1, to: 0, contains: true },
      ]),
      color,
    );
    expect(around?.outlines.match(/M/g)).toHaveLength(2);
    expect(around?.lines).toBe('');
  });

  it('supports a thousand distant components', () => {
    const components = Array.from({ length: 1000 }, (_, at) => component(String(at), at * 1e6, -at * 1e6));
    const drawn = drawThumbnail({ components, lines: [], stakeholders: [] }, color);
    expect(drawn?.viewBox.split(' ').every((part) => Number.isFinite(Number(part)))).toBe(true);
  });
});
