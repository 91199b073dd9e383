import { describe, expect, it } from 'vitest';
import type { Component, ComponentKind } from '@/api/generated';
import { allTypes, customTypeKey, customTypeOf, kindFields, typeKey } from './customTypes';

const kind = (id: string, name: string) =>
  ({
    id,
    name,
    baseType: 'service',
    color: '#112233',
    icon: 'server',
    fields: [],
  }) as unknown as ComponentKind;
const local = (name: string, typeId = 'job') => ({ name, typeId, color: '#445566', icon: 'clock' });
const component = (value: unknown, typeId = 'service') =>
  ({ typeId, properties: { kind: value } }) as unknown as Component;

describe('kinds of the organization', () => {
  const types = allTypes(
    [kind('payment-service', 'Payments'), kind('queue-2', 'queue'), kind('queue', 'Topic')],
    [local('Worker'), local('Payments')],
  );
  const found = (value: unknown, typeId?: string) => {
    const type = customTypeOf(types, component(value, typeId));
    return type && customTypeKey(type);
  };

  it('apply to components by ID, name or former name, whatever their type', () => {
    expect(found('payment-service')).toBe('kind:payment-service');
    expect(found('Payments', 'database')).toBe('kind:payment-service');
    expect(found('Payment Service')).toBe('kind:payment-service');
    expect(found('queue')).toBe('kind:queue');
    for (const none of ['', 'payments', 'Zahlung', '漢字', 7, null, undefined]) {
      expect(found(none), String(none)).toBeUndefined();
    }
    expect(customTypeOf(allTypes([kind('kind', '漢字')], []), component('字'))).toBeUndefined();
  });

  it('do not apply by a value without letters and digits', () => {
    const onlyKind = allTypes([kind('kind', '漢字')], []);
    for (const none of ['', '  ', '-', '///', '_', '.', ' - ']) {
      expect(customTypeOf(onlyKind, component(none)), `“${none}”`).toBeUndefined();
    }
    for (const value of ['kind', '漢字', 'Kind', 'kind/']) {
      expect(customTypeOf(onlyKind, component(value))?.name, value).toBe('漢字');
    }
  });

  it('hide types of this browser with the same name; others apply to their base type', () => {
    expect(types.map(({ name }) => name)).toEqual(['Payments', 'queue', 'Topic', 'Worker']);
    expect(found('Worker', 'job')).toBe('kind:Worker');
    expect(found('Worker', 'service')).toBeUndefined();
    expect(typeKey(types, component('Worker', 'service'))).toBe('service');
    expect(kindFields(types, component('Worker', 'job'))).toEqual([]);
  });
});
