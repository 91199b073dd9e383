/** The rules that correspond to the filters of the map. */
import { customTypeKey } from '../model/customTypes';
import type { Model } from '../model/model';
import type { Filters } from '../model/viewOptions';
import { componentFilter } from '../search/filter';
import type { Selector } from '../sync/viewRows';
import { anySelector } from './selectors';

/** Maximum number of IDs in a selector. */
const MAX_IDS = 1000;

/**
 * The selectors of the components that match the filters. Filters that rules cannot express exactly, such as people with
 * any role or types of this browser, become a list of the components that match now.
 */
export function selectorsOf(filters: Filters, model: Model): Selector[] {
  const rules = withTypes(filters, model, {
    ...(filters.lifecycles.size > 0 ? { lifecycle: [...filters.lifecycles] } : {}),
    ...(filters.holders.size > 0 ? { owners: [...filters.holders] } : {}),
    ...(filters.text.trim() ? { text: filters.text.trim() } : {}),
  });
  if (rules.length === 0) return [];
  const components = [...model.rows.component.values()];
  const matches = componentFilter(filters, model);
  const selected = anySelector(rules, model);
  const isSame = components.every((component) => matches(component) === selected(component));
  if (isSame) return rules;
  const ids = components.filter(matches).map(({ id }) => id);
  return Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, at) => ({
    ids: ids.slice(at * MAX_IDS, (at + 1) * MAX_IDS),
  }));
}

/** The selector for each kind of type: catalog types and the organization's kinds are different keys. */
function withTypes({ typeIds }: Filters, { customTypes }: Model, rest: Selector): Selector[] {
  if (typeIds.size === 0) return Object.keys(rest).length > 0 ? [rest] : [];
  const kinds = customTypes.flatMap((custom) =>
    typeIds.has(customTypeKey(custom)) && custom.kind ? [custom.kind.id] : [],
  );
  const keys = new Set(customTypes.map(customTypeKey));
  const types = [...typeIds].filter((key) => !keys.has(key));
  return [
    ...(types.length > 0 ? [{ types, ...rest }] : []),
    ...(kinds.length > 0 ? [{ kinds, ...rest }] : []),
  ];
}
