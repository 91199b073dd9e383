/** Filters of components and relationships. */
import type { Component } from '@/api/generated';
import { typeKey } from '@/core/model/customTypes';
import { holderOf, isUnowned, type Model } from '@/core/model/model';
import type { Filters } from '@/core/model/viewOptions';
import { matchScore, searchTerms } from './fuzzy';
import { searchEntries } from './search';

/** Returns the predicate of the component filters. */
export function componentFilter(filters: Filters, model: Model): (component: Component) => boolean {
  const { typeIds, lifecycles, holders, drift } = filters;
  const tests: ((component: Component) => boolean)[] = [];
  if (typeIds.size > 0) {
    tests.push(
      (component) => typeIds.has(component.typeId) || typeIds.has(typeKey(model.customTypes, component)),
    );
  }
  if (lifecycles.size > 0) tests.push(({ properties }) => lifecycles.has(String(properties.lifecycle ?? '')));
  if (holders.size > 0) {
    tests.push(
      (component) =>
        (holders.has('') && isUnowned(model, component)) ||
        (model.stakeholders.get(component.id)?.some((link) => holders.has(holderOf(link).id)) ?? false),
    );
  }
  if (drift.size > 0) tests.push(({ id }) => drift.has(model.drift.components.get(id) ?? 'inStep'));
  const terms = searchTerms(filters.text);
  if (terms.length > 0) {
    const entries = searchEntries(model);
    tests.push(({ id }) => matchScore(terms, entries.get(id) ?? { title: '' }) > 0);
  }
  return (component) => tests.every((test) => test(component));
}

/** Whether any filter is active. */
export function isFiltering(filters: Filters): boolean {
  return countActiveFilters(filters) > 0;
}

/** The number of selected filter values. */
export function countActiveFilters({ text, ...facets }: Filters): number {
  const chosen = Object.values(facets).reduce((sum, set) => sum + set.size, 0);
  return chosen + (searchTerms(text).length > 0 ? 1 : 0);
}

type Facet = Exclude<keyof Filters, 'text'>;

/** Toggles a filter value. */
export function toggleFilter(filters: Filters, facet: Facet, key: string): Filters {
  const set = new Set(filters[facet]);
  if (!set.delete(key)) set.add(key);
  return { ...filters, [facet]: set };
}

/** A filter value and the number of its components. */
export interface FacetEntry {
  key: string;
  label: string;
  count: number;
}

/** All filter values, most frequent first. */
export function countFacets(
  model: Model,
): Record<Exclude<Facet, 'typeIds' | 'lifecycles' | 'drift'>, FacetEntry[]> {
  const relations = new Map<string, FacetEntry>();
  for (const { typeId } of model.rows.relationship.values()) {
    const label = model.catalogue.relationTypes.find(({ id }) => id === typeId)?.name ?? typeId;
    count(relations, typeId, label);
  }
  const holders = [...model.holdings].map(([key, links]) => ({
    key,
    label: links[0] ? holderOf(links[0]).name : key,
    count: new Set(links.map(({ componentId }) => componentId)).size,
  }));
  return { holders: sorted(holders), relationTypeIds: sorted([...relations.values()]) };
}

function count(entries: Map<string, FacetEntry>, key: string, label: string): void {
  const entry = entries.get(key);
  if (entry) entry.count++;
  else entries.set(key, { key, label, count: 1 });
}

function sorted(entries: FacetEntry[]): FacetEntry[] {
  return entries.sort((a, b) => b.count - a.count || a.label.localeCompare(b.label));
}
