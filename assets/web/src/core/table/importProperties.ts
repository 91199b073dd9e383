/** Properties in imported tables: text becomes a value of the type that the property has elsewhere. */

import type { Catalogue, Component } from '@/api/generated';
import {
  CUSTOM_TYPE_PROPERTY,
  type CustomType,
  customTypeOf,
  customTypeValue,
  namedCustomType,
} from '@/core/model/customTypes';
import { fieldProblem, fieldText, hasFieldType, parseField } from '@/core/model/kindFields';
import type { Fields } from '@/core/sync/operation';
import { truncate } from '@/core/text';
import { parseLike } from './columns';
import { PREFIX } from './csv';
import { unknownKindProblem } from './importKinds';
import { normalizeName } from './importParents';
import type { SheetRows } from './sheetColumns';

/** Sets a property, the kind or the lifecycle to the text of a cell. Returns an error message if it is invalid. */
export function setProperty(
  properties: Fields,
  heading: string,
  text: string,
  { lifecycleStates }: Catalogue,
  examples: ReadonlyMap<string, unknown>,
  types: readonly CustomType[],
): string | undefined {
  const key = heading.startsWith(PREFIX) ? heading.slice(PREFIX.length) : heading;
  if (text === '') {
    delete properties[key];
    return undefined;
  }
  if (key === CUSTOM_TYPE_PROPERTY) {
    const type = namedCustomType(types, text);
    if (type) properties[key] = customTypeValue(type);
    const problem = type ? undefined : unknownKindProblem(text, types);
    if (type || problem) return problem;
  }
  if (key !== 'lifecycle') {
    properties[key] = parseLike(text, properties[key] ?? examples.get(key));
    return undefined;
  }
  const state = lifecycleStates.find(
    ({ id, name }) =>
      normalizeName(id) === normalizeName(text) || normalizeName(name) === normalizeName(text),
  );
  if (!state) {
    const names = lifecycleStates.map(({ name }) => name).join(', ');
    return `unknown lifecycle state “${truncate(text, 60)}”. States: ${names}.`;
  }
  properties.lifecycle = state.id;
  return undefined;
}

/** The component of a row before and after its import. */
interface KindFieldCells {
  /** The existing component; undefined if the row creates one. */
  found: Pick<Component, 'typeId' | 'properties'> | undefined;
  typeId: string;
  properties: Fields;
  /** The texts of changed properties. */
  written: ReadonlyMap<string, string>;
  /** The keys of the columns that the row has cells for. */
  keys: ReadonlySet<string>;
}

/**
 * Sets the properties that are fields of the component's kind to values of their types: the changed ones, and all in the
 * row if the component gets another kind. Returns an error message if a text is invalid.
 */
export function setKindFields(
  { found, typeId, properties, written, keys }: KindFieldCells,
  types: readonly CustomType[],
): string | undefined {
  const kind = customTypeOf(types, { typeId, properties })?.kind;
  const isNew = found !== undefined && customTypeOf(types, found)?.kind !== kind;
  for (const field of kind?.fields ?? []) {
    const isChecked = isNew && keys.has(PREFIX + field.key) && !hasFieldType(field, properties[field.key]);
    const text = written.get(field.key) ?? (isChecked ? fieldText(properties[field.key]) : '');
    if (!text) continue;
    const problem = fieldProblem(field, text);
    if (problem) return `${field.name} is “${truncate(text, 60)}”. ${problem}`;
    properties[field.key] = parseField(field, text);
  }
  return undefined;
}

/** A value of each property, which shows its type. */
export function examplesOf({ component }: SheetRows): Map<string, unknown> {
  const examples = new Map<string, unknown>();
  for (const { properties } of component.values()) {
    for (const [key, value] of Object.entries(properties)) {
      if (!examples.has(key)) examples.set(key, value);
    }
  }
  return examples;
}
