import { describe, expect, it } from 'vitest';
import { importKind } from './files';

const catalogue = {
  componentTypes: [
    { id: 'web-app', name: 'Web app' },
    { id: 'service', name: 'Service' },
  ],
} as Parameters<typeof importKind>[2];

describe('the kind of an import', () => {
  it('is an export of Planroom for its JSON files, old and new', () => {
    expect(importKind(['a.json'], '{"format":"planroom/1","components":[]}', catalogue)).toBe('export');
    expect(importKind(['a.json'], '\uFEFF{"components":[],"relationships":[]}', catalogue)).toBe('export');
  });
  it('is an export for broken JSON, so that the position of the error is shown', () => {
    expect(importKind(['a.json'], '{"components": [}', catalogue)).toBe('export');
  });
  it('is foreign for the JSON of other tools', () => {
    expect(importKind(['plan.json'], '{"format_version":"1.2","planned_values":{}}', catalogue)).toBe(
      'foreign',
    );
    expect(importKind(['model.json'], '[{"elements":{}}]', catalogue)).toBe('foreign');
    expect(importKind(['a.json'], '{"format":"likec4","components":[],"relationships":[]}', catalogue)).toBe(
      'foreign',
    );
  });
  it('is a table for components as CSV, but not for relationships', () => {
    expect(importKind(['a.csv'], 'Name;Type\nShop;Service\n', catalogue)).toBe('table');
    expect(importKind(['a.csv'], 'From,To\nShop,Payments\n', catalogue)).toBe('foreign');
    expect(importKind(['a.csv', 'b.csv'], 'Name;Type\nShop;Service\n', catalogue)).toBe('foreign');
  });
  it('is foreign for tables of other tools', () => {
    expect(importKind(['a.csv'], 'Id,Name,Type\n1,Shop,ApplicationComponent\n', catalogue)).toBe('foreign');
    expect(importKind(['a.csv'], 'Application,Team\nShop,Web\n', catalogue)).toBe('foreign');
    expect(importKind(['a.csv'], 'Name,Depends on\nShop,Payments\n', catalogue)).toBe('foreign');
    expect(importKind(['a.csv'], 'Name,Type\nShop,WEB APP\nPay,\n', catalogue)).toBe('table');
    expect(importKind(['a.csv'], 'Name,Type\nShop,Service\nOdd,Spaceship\n', catalogue)).toBe('table');
  });
  it('is foreign for everything else', () => {
    expect(importKind(['compose.yaml'], 'services: {}', catalogue)).toBe('foreign');
    expect(importKind(['a.json', 'b.json'], '{"format":"planroom/1"}', catalogue)).toBe('foreign');
  });
});
