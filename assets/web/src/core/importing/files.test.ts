import { describe, expect, it } from 'vitest';
import { importKind } from './files';

describe('the kind of an import', () => {
  it('is an export of Planroom for its JSON files, old and new', () => {
    expect(importKind(['a.json'], '{"format":"planroom/1","components":[]}')).toBe('export');
    expect(importKind(['a.json'], '\uFEFF{"components":[],"relationships":[]}')).toBe('export');
  });
  it('is an export for broken JSON, so that the position of the error is shown', () => {
    expect(importKind(['a.json'], '{"components": [}')).toBe('export');
  });
  it('is foreign for the JSON of other tools', () => {
    expect(importKind(['plan.json'], '{"format_version":"1.2","planned_values":{}}')).toBe('foreign');
    expect(importKind(['model.json'], '[{"elements":{}}]')).toBe('foreign');
    expect(importKind(['a.json'], '{"format":"likec4","components":[],"relationships":[]}')).toBe('foreign');
  });
  it('is a table for components as CSV, but not for relationships', () => {
    expect(importKind(['a.csv'], 'Name;Type\nShop;Service\n')).toBe('table');
    expect(importKind(['a.csv'], 'From,To\nShop,Payments\n')).toBe('foreign');
    expect(importKind(['a.csv', 'b.csv'], 'Name;Type\nShop;Service\n')).toBe('foreign');
  });
  it('is foreign for everything else', () => {
    expect(importKind(['compose.yaml'], 'services: {}')).toBe('foreign');
    expect(importKind(['a.json', 'b.json'], '{"format":"planroom/1"}')).toBe('foreign');
  });
});
