/** Searches components by name, ID, type, description, people, technology and tags. */
import type { Component } from '@/api/generated';
import { typeAppearance } from '../model/lens';
import { holderOf, type Model } from '../model/model';
import { technologiesOf } from '../model/technology';
import { prepareEntry, rank, type Searchable } from './fuzzy';

const known = new WeakMap<Model, ReadonlyMap<string, Searchable>>();

/** The search index by component ID, built once per model. */
export function searchEntries(model: Model): ReadonlyMap<string, Searchable> {
  const before = known.get(model);
  if (before) return before;
  const entries = new Map(
    [...model.rows.component].map(([id, component]) => [id, entryFor(model, component)]),
  );
  known.set(model, entries);
  return entries;
}

/** The best matches; at most `limit`. An empty query has no matches. */
export function searchComponents(model: Model, query: string, limit = 50): Component[] {
  if (query.trim() === '') return [];
  const { component } = model.rows;
  return rank(searchEntries(model), query, limit).flatMap((id) => component.get(id) ?? []);
}

const prepare = (() => {
  // Rows are immutable, so cached texts stay valid while the component and its holders are the same objects.
  const cache = new WeakMap<Component, { words: string; searchable: Searchable }>();
  return (component: Component, words: string[]): Searchable => {
    const joined = words.join('\n');
    const before = cache.get(component);
    if (before?.words === joined) return before.searchable;
    const { name: title, description } = component;
    const searchable = prepareEntry({ title, words, ...(description ? { text: description } : {}) });
    cache.set(component, { words: joined, searchable });
    return searchable;
  };
})();

function entryFor(model: Model, component: Component): Searchable {
  const holders = (model.stakeholders.get(component.id) ?? []).map((link) => holderOf(link).name);
  const keywords = [...technologiesOf(component), ...(component.tags ?? [])];
  return prepare(component, [component.id, typeAppearance(model, component).name, ...holders, ...keywords]);
}
