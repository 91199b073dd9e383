/** Components on the clipboard as text, for copying between maps. */

import type { Component, Relationship } from '@/api/generated';
import { problemOfName } from '../model/valid';

export interface Clip {
  planroom: 1;
  components: readonly Component[];
  relationships: readonly Relationship[];
}

const NOT_A_CLIP = 'The clipboard does not contain components. Copy components from a map, then paste again.';
/** Parses clipboard text. Returns an error message if it is not from a map. */
export function readClip(text: string): Clip | string {
  let json: Partial<Clip> | null;
  try {
    json = JSON.parse(text) as Partial<Clip> | null;
  } catch {
    return NOT_A_CLIP;
  }
  if (!json || typeof json !== 'object' || !Array.isArray(json.components)) return NOT_A_CLIP;
  const components = json.components.filter(isComponent);
  if (components.length === 0 || components.length !== json.components.length) return NOT_A_CLIP;
  const problem = components.map(({ name }) => problemOfName(name)).find(Boolean);
  if (problem) return `Can’t paste. ${problem}`;
  const relationships = Array.isArray(json.relationships) ? json.relationships.filter(isRelationship) : [];
  return {
    planroom: 1,
    components: components.map((one) => ({ ...one, properties: one.properties ?? {} })),
    relationships,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isComponent(value: unknown): value is Component {
  const { id, typeId, name, x, y } = (value ?? {}) as Partial<Component>;
  return isText(id) && isText(typeId) && isText(name) && Number.isFinite(x) && Number.isFinite(y);
}

function isRelationship(value: unknown): value is Relationship {
  const { sourceId, targetId, typeId } = (value ?? {}) as Partial<Relationship>;
  return isText(sourceId) && isText(targetId) && isText(typeId);
}
