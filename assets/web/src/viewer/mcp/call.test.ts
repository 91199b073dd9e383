import { describe, expect, it } from 'vitest';
import { drawingOf, modelOf, stepsOf, toolOf } from './call';

const name = (id: string) => id.toUpperCase();
const traced = {
  total: 3,
  reached: [
    { componentId: 'b', path: ['a', 'b'], relationshipId: 'r1' },
    { componentId: 'c', path: ['a', 'b', 'c'], relationshipId: 'r2' },
  ],
};
const paths = {
  total: 2,
  paths: [
    { componentIds: ['a', 'c'], relationshipIds: ['r3'] },
    { componentIds: ['a', 'b', 'c'], relationshipIds: ['r1', 'r2'] },
  ],
};

describe('a tool call', () => {
  it('is drawn as the part of the map that it is about', () => {
    const input = { workspaceId: 'w' };
    const draw = (tool: string, more: object, result = {}) =>
      drawingOf({ tool, input: { ...input, ...more }, result });
    expect(draw('get_workspace', { include: [] })).toEqual(input);
    expect(draw('get_workspace', { viewId: 'v' })).toEqual({ ...input, viewId: 'v' });
    expect(draw('get_workspace', { around: { componentId: 'a', depth: 2 } })).toEqual({
      ...input,
      around: ['a'],
      depth: 2,
    });
    expect(draw('draw_map', { components: ['a'], theme: 'dark', format: 'picture', step: 1 })).toEqual({
      ...input,
      components: ['a'],
    });
    expect(draw('get_process', { processId: 'p' })).toEqual({ ...input, process: 'p' });
    expect(draw('trace_dependencies', { componentId: 'a' }, traced)).toEqual({
      ...input,
      around: ['a', 'b', 'c'],
      depth: 0,
    });
    expect(draw('find_paths', { from: 'a', to: 'c' }, paths)).toEqual({
      ...input,
      around: ['a', 'c', 'b'],
      depth: 0,
    });
    const many = { reached: Array.from({ length: 700 }, (_, at) => ({ path: [`c${at}`] })) };
    expect(draw('trace_dependencies', { componentId: 'a' }, many).around).toHaveLength(500);
  });

  it('has a title, a summary and highlights', () => {
    const input = { workspaceId: 'w', componentId: 'a' };
    expect(modelOf({ tool: 'trace_dependencies', input, result: traced }, name)).toMatchObject({
      title: 'Dependents of A',
      summary: '3 components, the nearest 2 are shown',
      highlights: [{ components: ['a', 'b', 'c'], relationships: ['r1', 'r2'] }],
    });
    const found = modelOf({ tool: 'find_paths', input: { from: 'a', to: 'c' }, result: paths }, name);
    expect([found.title, found.summary]).toEqual(['Paths from A to C', '2 paths']);
    expect(found.highlights.map((one) => one.name)).toEqual(['Path 1: direct', 'Path 2: via B']);
    expect(modelOf({ tool: 'find_paths', input: {}, result: {} }, name).summary).toBe('No path');
  });

  it('is recognized by its arguments where the host does not name the tool', () => {
    expect(toolOf({ processId: 'p' })).toBe('get_process');
    expect(toolOf({ from: 'a', to: 'b' })).toBe('find_paths');
    expect(toolOf({ componentId: 'a' })).toBe('trace_dependencies');
    expect(toolOf({ workspaceId: 'w' })).toBe('get_workspace');
  });

  it('has steps as objects or as rows, whose ends may not be on the map', () => {
    const known = (id: string) => (id === 'a' ? 'A' : undefined);
    const expected = [{ from: 'a', to: undefined, fromName: 'A', toName: 'Bank', text: 'pay' }];
    expect(stepsOf({ steps: [{ from: 'a', to: 'Bank', text: 'pay' }] }, known)).toEqual(expected);
    expect(stepsOf({ rows: [[1, 2, 'a', 'Bank', 'pay', false]] }, known)).toEqual(expected);
  });
});
