/** The direction of lines in layered layouts. */
import { describe, expect, it } from 'vitest';
import { forwardLines } from './forwardOrder';
import type { LayoutNode } from './layoutTask';

type Line = readonly [string, string];

/** Nodes as ID, type and parent. */
function nodes(...all: readonly (readonly [string, string?, string?])[]): LayoutNode[] {
  return all.map(([id, typeId = 'service', parent]) => ({
    id,
    typeId,
    parent: parent ?? null,
    x: 0,
    y: 0,
    width: 180,
    height: 64,
  }));
}

/** The lines that lead back. */
function backward(all: LayoutNode[], lines: readonly Line[]): Line[] {
  const forward = forwardLines({ nodes: all, lines: lines.map(([from, to]) => ({ from, to, label: '' })) });
  return lines.filter((_, at) => !forward[at]);
}

describe('lines in a layered layout', () => {
  it('all lead forward if there is no cycle, in any order', () => {
    const all = nodes(['d'], ['c'], ['b'], ['a']);
    expect(
      backward(all, [
        ['a', 'b'],
        ['b', 'c'],
        ['a', 'd'],
        ['c', 'd'],
      ]),
    ).toEqual([]);
  });

  it('lead back once per cycle, which the order of the model decides', () => {
    const cycle: Line[] = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ];
    expect(backward(nodes(['a'], ['b'], ['c']), cycle)).toEqual([['c', 'a']]);
    expect(backward(nodes(['b'], ['c'], ['a']), cycle)).toEqual([['a', 'b']]);
    expect(
      backward(nodes(['x'], ['y']), [
        ['y', 'x'],
        ['x', 'y'],
      ]),
    ).toEqual([['y', 'x']]);
    // Of two components, the direction of most lines counts.
    expect(
      backward(nodes(['x'], ['y']), [
        ['y', 'x'],
        ['y', 'x'],
        ['x', 'y'],
      ]),
    ).toEqual([['x', 'y']]);
  });

  it('lead from people, and from gateways in a cycle', () => {
    const all = nodes(['mail'], ['web', 'gateway'], ['reader', 'person']);
    expect(
      backward(all, [
        ['mail', 'reader'],
        ['reader', 'web'],
      ]),
    ).toEqual([['mail', 'reader']]);
    const ring = nodes(['orders'], ['edge', 'gateway']);
    expect(
      backward(ring, [
        ['edge', 'orders'],
        ['orders', 'edge'],
      ]),
    ).toEqual([['orders', 'edge']]);
    // A client of a gateway comes before it.
    expect(backward(nodes(['edge', 'gateway'], ['app']), [['app', 'edge']])).toEqual([]);
  });

  it('are compared between the groups that contain the ends', () => {
    const all = nodes(
      ['one'],
      ['a', 'service', 'one'],
      ['b', 'service', 'one'],
      ['two'],
      ['c', 'service', 'two'],
    );
    expect(
      backward(all, [
        ['a', 'c'],
        ['c', 'b'],
        ['b', 'c'],
        ['b', 'a'],
        ['one', 'a'],
      ]),
    ).toEqual([['c', 'b']]);
    const people = nodes(['it'], ['x', 'service', 'it'], ['users'], ['u', 'person', 'users']);
    expect(backward(people, [['x', 'u']])).toEqual([['x', 'u']]);
  });

  it('are ordered in long chains', () => {
    const count = 20_000;
    const all = nodes(...Array.from({ length: count }, (_, at) => [`n${at}`] as const));
    const lines = Array.from({ length: count - 1 }, (_, at): Line => [`n${at + 1}`, `n${at}`]);
    expect(backward(all, lines)).toEqual([]);
  });
});
