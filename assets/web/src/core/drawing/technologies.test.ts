import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { technologiesOf } from '@/core/model/technology';
import { findTechnology, technologyIndex } from './technologies';
import technologies from './technologies.json';

const index = technologyIndex(technologies);
const titleOf = (...names: string[]) => findTechnology(index, names)?.title;

describe('technology logos', () => {
  it('are found by name, by alias, and with a version', () => {
    expect(titleOf('PostgreSQL')).toBe('PostgreSQL');
    expect(titleOf('postgres 17.2')).toBe('PostgreSQL');
    expect(titleOf('Apache Kafka')).toBe('Apache Kafka');
    expect(titleOf('kafka')).toBe('Apache Kafka');
    expect(titleOf('Node.js v24')).toBe('Node.js');
    expect(titleOf('C#')).toBe('.NET');
    expect(titleOf('k8s')).toBe('Kubernetes');
  });

  it('use the first technology that has a logo, and none for unknown technologies', () => {
    expect(titleOf('LVS', 'Envoy')).toBe('Envoy Proxy');
    expect(titleOf('LVS', 'PyBal')).toBeUndefined();
    expect(titleOf('')).toBeUndefined();
    expect(titleOf('constructor')).toBeUndefined();
  });

  it('are at most 400, and at most 250 KB compressed', () => {
    const { length } = Object.keys(technologies);
    expect(length).toBeGreaterThan(300);
    expect(length).toBeLessThanOrEqual(400);
    const file = readFileSync(`${import.meta.dirname}/technologies.json`);
    expect(gzipSync(file, { level: 9 }).length).toBeLessThanOrEqual(250_000);
  });
});

it('the technologies of a component are its field, or a property with a string, a comma-separated string, or a list', () => {
  const of = (technology: unknown) => technologiesOf({ properties: { technology } });
  expect(of('MariaDB')).toEqual(['MariaDB']);
  expect(of('LVS, PyBal')).toEqual(['LVS', 'PyBal']);
  expect(of(['Go', ' Katran ', 3, ''])).toEqual(['Go', 'Katran']);
  expect(of(undefined)).toEqual([]);
  expect(of({ name: 'Go' })).toEqual([]);
  const properties = { technology: 'MariaDB' };
  expect(technologiesOf({ technology: ['Go', 'Katran'], properties })).toEqual(['Go', 'Katran']);
  expect(technologiesOf({ technology: [], properties })).toEqual(['MariaDB']);
});
