/** Kinds of the organization in imported tables: the column of the kind, and the type that a kind is based on. */
import type { Catalogue, Component } from '@/api/generated';
import {
  CUSTOM_TYPE_PROPERTY,
  type CustomType,
  customTypeOf,
  namedCustomType,
} from '@/core/model/customTypes';
import type { Fields } from '@/core/sync/operation';
import { truncate } from '@/core/text';
import { columnKey, PREFIX } from './csv';

/** The key of the column that contains the kind. */
export const KIND_COLUMN = `${PREFIX}${CUSTOM_TYPE_PROPERTY}`;

/** Maximum number of kinds listed in an error message. */
const MAX_LISTED = 20;
const MAX_SHOWN_NAME = 60;

function hasKinds(types: readonly CustomType[]): boolean {
  return types.some(({ kind }) => kind);
}

/**
 * The fields or properties of headings. If the organization has kinds, “Kind” in any case is the kind, as in the table,
 * unless another column has the exact name of the property, as in exported files.
 */
export function columnKeys(headings: readonly string[], types: readonly CustomType[]): string[] {
  const keys = headings.map(columnKey);
  const isKind = (heading: string) => heading.toLowerCase() === CUSTOM_TYPE_PROPERTY;
  const at = hasKinds(types) && !keys.includes(KIND_COLUMN) ? headings.findIndex(isKind) : -1;
  return at < 0 ? keys : keys.with(at, KIND_COLUMN);
}

/** The error message for a text that names no kind; undefined if the organization has no kinds, so that any text is valid. */
export function unknownKindProblem(text: string, types: readonly CustomType[]): string | undefined {
  const names = types.flatMap(({ kind }) => (kind ? [truncate(kind.name, MAX_SHOWN_NAME)] : []));
  if (names.length === 0) return undefined;
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  return `unknown kind “${truncate(text, MAX_SHOWN_NAME)}”. Kinds: ${names.slice(0, MAX_LISTED).join(', ')}${more}.`;
}

/** What a row says about the kind and the type of its component. */
export interface KindCells {
  /** The existing component; undefined if the row creates one. */
  found: Component | undefined;
  /** The properties after the import. */
  properties: Fields;
  /** The text of the kind, also if it is unchanged. */
  kind: string;
  /** Whether the row sets the kind. */
  isKindWritten: boolean;
  /** The text of the type, also if it is unchanged. */
  type: string;
}

/**
 * Sets the type that a new kind is based on, if the row has no type. Returns an error message if the row changes the kind
 * or the type so that they contradict each other. Custom types of this browser have no effect on other types, so they are
 * no contradiction.
 */
export function setBaseType(
  fields: Fields,
  { found, properties, kind, isKindWritten, type }: KindCells,
  types: readonly CustomType[],
  { componentTypes }: Catalogue,
): string | undefined {
  const before = found && customTypeOf(types, found);
  const value = properties[CUSTOM_TYPE_PROPERTY];
  const written = typeof value === 'string' ? namedCustomType(types, value) : undefined;
  const custom = isKindWritten ? written : before;
  if (!custom) return undefined;
  const isNew = custom !== before;
  if (type === '') {
    if (isNew) fields.typeId = custom.typeId;
    return undefined;
  }
  const isRetyped = kind !== '' && fields.typeId !== undefined && fields.typeId !== found?.typeId;
  const isContradiction = (fields.typeId ?? found?.typeId) !== custom.typeId;
  if (!custom.kind || !isContradiction || !(isNew || isRetyped)) return undefined;
  const base = componentTypes.find(({ id }) => id === custom.typeId)?.name ?? custom.typeId;
  return `the kind ${truncate(custom.name, MAX_SHOWN_NAME)} is based on ${base}. Change the type to ${base}, or leave it empty.`;
}
