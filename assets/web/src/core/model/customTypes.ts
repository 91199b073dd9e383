/**
 * Custom types: a name, color and icon for components of a catalog type, stored in this browser. A component has a
 * custom type if its property `kind` is the name of the custom type and its `typeId` is the catalog type. The property
 * is saved with the map. Users with the same custom types, which can be exported and imported, also see them; other
 * users see the catalog type.
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

/** The custom type of a component, if it is defined in this browser. */
export function customTypeOf(types: readonly CustomType[], component: Component): CustomType | undefined {
  const name = component.properties[CUSTOM_TYPE_PROPERTY];
  return types.find((type) => type.name === name && type.typeId === component.typeId);
}

/** The key of a component's type in filters and legends. Custom types have separate keys. */
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
  return json.map((entry: unknown, place) => {
    const { name, typeId, color, icon } = (entry ?? {}) as Record<string, unknown>;
    const entryName = `Entry ${place + 1}`;
    const problem = nameProblem(name);
    if (problem) throw new Error(`${entryName}, name: ${problem}`);
    if (typeof typeId !== 'string' || !typeId)
      throw new Error(`${entryName}: typeId must be the id of a catalog type.`);
    if (typeof color !== 'string' || !/^#[0-9a-f]{6}$/i.test(color))
      throw new Error(`${entryName}: color must have the form #1d4f8c.`);
    return { name: String(name).trim(), typeId, color, icon: typeof icon === 'string' ? icon : '' };
  });
}

/** Merges two lists; entries of the second list take precedence. */
export function mergeCustomTypes(a: readonly CustomType[], b: readonly CustomType[]): CustomType[] {
  return [...new Map([...a, ...b].map((type) => [type.name, type])).values()];
}
