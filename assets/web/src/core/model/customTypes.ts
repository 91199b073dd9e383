/**
 * Custom types: a name, color and icon for components of a catalog type. The kinds of the organization are custom types
 * that all of its members see; they can also have a logo and fields. The others are stored in this browser.
 *
 * A component has a custom type because of its property `kind`, which is saved with the map: the ID of a kind, or the
 * name of a type in this browser, which must also have the `typeId` of the component. Users without the type see the
 * catalog type.
 */
import type { Component, ComponentKind, KindField } from '@/api/generated';
import { nameProblem } from './validation';

export interface CustomType {
  name: string;
  /** The catalog type that it is based on. */
  typeId: string;
  /** `#RRGGBB`. */
  color: string;
  /** The name of a Lucide icon from the catalog. */
  icon: string;
  /** The kind of the organization, if it is one. */
  kind?: ComponentKind;
}

/** The property that contains the ID of the kind or the name of the custom type. */
export const CUSTOM_TYPE_PROPERTY = 'kind';

/** The kinds of the organization, then the types in this browser. A kind hides a type of its name. */
export function allTypes(kinds: readonly ComponentKind[], local: readonly CustomType[]): CustomType[] {
  const shared = kinds.map(
    (kind): CustomType => ({
      name: kind.name,
      typeId: kind.baseType,
      color: kind.color,
      icon: kind.icon,
      kind,
    }),
  );
  return [...shared, ...local.filter(({ name }) => !findShared(shared, name))];
}

/** The custom type of a component, if it is defined in the organization or in this browser. */
export function customTypeOf(
  types: readonly CustomType[],
  component: Pick<Component, 'typeId' | 'properties'>,
): CustomType | undefined {
  const value = component.properties[CUSTOM_TYPE_PROPERTY];
  if (typeof value !== 'string') return undefined;
  return (
    findShared(types, value) ??
    types.find((type) => !type.kind && type.name === value && type.typeId === component.typeId)
  );
}

interface SharedIndex {
  byId: ReadonlyMap<string, CustomType>;
  byName: ReadonlyMap<string, CustomType>;
}

const indexes = new WeakMap<readonly CustomType[], SharedIndex>();

function sharedIndex(types: readonly CustomType[]): SharedIndex {
  const known = indexes.get(types);
  if (known) return known;
  const shared = types.filter(({ kind }) => kind);
  const index = {
    byId: new Map(shared.map((type) => [type.kind?.id ?? '', type])),
    byName: new Map(shared.map((type) => [type.name, type])),
  };
  indexes.set(types, index);
  return index;
}

/**
 * The kind that a property refers to: by ID, by name, or by the name that the ID was derived from, because a type of
 * this browser is referred to by name, and a kind that it became can be renamed. The server has the same rule.
 */
function findShared(types: readonly CustomType[], value: string): CustomType | undefined {
  const { byId, byName } = sharedIndex(types);
  const found = byId.get(value) ?? byName.get(value);
  const couldBeFormerName = /^[\w ./-]+$/.test(value) && /[a-z0-9]/i.test(value);
  return found ?? (couldBeFormerName ? byId.get(kindId(value)) : undefined);
}

/**
 * The type that a text refers to, which a user may have typed: as in properties, or by name or ID in another case. Types of
 * this browser are found even if a component has another `typeId`.
 */
export function namedCustomType(types: readonly CustomType[], text: string): CustomType | undefined {
  const isNamed = (one: string | undefined) => one?.toLocaleLowerCase() === text.toLocaleLowerCase();
  return (
    findShared(types, text) ??
    types.find(({ kind, name }) => !kind && name === text) ??
    types.find(({ kind, name }) => isNamed(name) || isNamed(kind?.id))
  );
}

/** The ID that the server derives from a name of ASCII letters, digits and separators, with at least one letter or digit. */
function kindId(name: string): string {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  const id = words.filter(Boolean).join('-').slice(0, 40).replace(/-$/, '');
  return id.length < 2 ? `kind-${id}` : id;
}

/** The key of a component's type in filters and legends. Custom types have separate keys. */
export function typeKey(types: readonly CustomType[], component: Component): string {
  const custom = customTypeOf(types, component);
  return custom ? customTypeKey(custom) : component.typeId;
}

export function customTypeKey(type: CustomType): string {
  return `kind:${customTypeValue(type)}`;
}

/** The value of the property of components of this type. */
export function customTypeValue({ kind, name }: CustomType): string {
  return kind?.id ?? name;
}

/** The custom type with a key as from `typeKey`. */
export function customTypeWithKey(types: readonly CustomType[], key: string): CustomType | undefined {
  return types.find((type) => customTypeKey(type) === key);
}

const NO_FIELDS: readonly KindField[] = [];

/** The fields of a component's kind. */
export function kindFields(types: readonly CustomType[], component: Component): readonly KindField[] {
  return customTypeOf(types, component)?.kind?.fields ?? NO_FIELDS;
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
