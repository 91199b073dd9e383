/** Searches components by name, id, type, description and people. */
import type { Component } from '@/api/generated';
import { typeLook } from '../model/lens';
import { holderOf, type Model } from '../model/model';
import { type Findable, prepared, ranked } from './fuzzy';

const known = new WeakMap<Model, ReadonlyMap<string, Findable>>();

/** The search index by component id, built once per model. */
export function entriesOf(model: Model): ReadonlyMap<string, Findable> {
  const before = known.get(model);
  if (before) return before;
  const entries = new Map([...model.rows.component].map(([id, one]) => [id, entryFor(model, one)]));
  known.set(model, entries);
  return entries;
}

/** The best matches; at most `limit`. An empty query has no matches. */
export function find(model: Model, query: string, limit = 50): Component[] {
  if (query.trim() === '') return [];
  const { component } = model.rows;
  return ranked(entriesOf(model), query, limit).flatMap((id) => component.get(id) ?? []);
}

const prepare = (() => {
  // Rows are replaced, never changed: what was prepared for one holds as long as it and its holders are the same.
  const cache = new WeakMap<Component, { words: string; findable: Findable }>();
  return (component: Component, words: string[]): Findable => {
    const joined = words.join('\n');
    const before = cache.get(component);
    if (before?.words === joined) return before.findable;
    const { name: title, description } = component;
    const findable = prepared({ title, words, ...(description ? { text: description } : {}) });
    cache.set(component, { words: joined, findable });
    return findable;
  };
})();

function entryFor(model: Model, component: Component): Findable {
  const holders = (model.stakeholders.get(component.id) ?? []).map((link) => holderOf(link).name);
  return prepare(component, [component.id, typeLook(model, component).name, ...holders]);
}
