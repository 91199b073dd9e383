/**
 * Custom types: a name, colour and icon laid over a type of the catalogue. They are kept in the browser alone; to the
 * server a component stays of its catalogue type. A component is of a custom type when its property `kind` is that
 * type's name and its `typeId` the type's: so it is saved with the map, and whoever has the same custom types (they can
 * be exported and imported) sees the same; others see the catalogue's type.
 */
import type { Component } from '@/api/generated';
import { nameProblem } from './validation';

export interface CustomType {
  name: string;
  /** The catalog type that it is based on. */
  typeId: string;
  /** `#RRGGBB`. */
  color: string;
  /** The name of a Lucide icon from the catalog. */
  icon: string;
}

/** The property that contains the name of the custom type. */
export const CUSTOM_TYPE_PROPERTY = 'kind';

/** The custom type of a component, if it is known in this browser. */
export function customTypeOf(types: readonly CustomType[], component: Component): CustomType | undefined {
  const name = component.properties[CUSTOM_TYPE_PROPERTY];
  return types.find((type) => type.name === name && type.typeId === component.typeId);
}

/** The key of a component's type in filters and legends; a custom type has its own key. */
export function typeKey(types: readonly CustomType[], component: Component): string {
  const custom = customTypeOf(types, component);
  return custom ? customTypeKey(custom) : component.typeId;
}

export function customTypeKey({ name }: CustomType): string {
  return `kind:${name}`;
}

/** Parses a custom types file. Throws an `Error` with a message for the user. */
export function parseCustomTypes(text: string): CustomType[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error('The file is not valid JSON. Choose a file exported from this panel.');
  }
  if (!Array.isArray(json)) throw new Error('A custom types file must contain a JSON array.');
  return json.map((one: unknown, place) => {
    const { name, typeId, color, icon } = (one ?? {}) as Record<string, unknown>;
    const where = `Entry ${place + 1}`;
    const problem = nameProblem(name);
    if (problem) throw new Error(`${where}, name: ${problem}`);
    if (typeof typeId !== 'string' || !typeId)
      throw new Error(`${where}: typeId must be the id of a catalog type.`);
    if (typeof color !== 'string' || !/^#[0-9a-f]{6}$/i.test(color))
      throw new Error(`${where}: color must have the form #1d4f8c.`);
    return { name: String(name).trim(), typeId, color, icon: typeof icon === 'string' ? icon : '' };
  });
}

/** Merges two lists; entries of the second win. */
export function mergeCustomTypes(one: readonly CustomType[], other: readonly CustomType[]): CustomType[] {
  return [...new Map([...one, ...other].map((type) => [type.name, type])).values()];
}
