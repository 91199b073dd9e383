/** Components on the clipboard as text, for copying between maps. */

import type { Component, Relationship } from '@/api/generated';
import { nameProblem } from '../model/validation';

export interface ClipboardContent {
  planroom: 1;
  components: readonly Component[];
  relationships: readonly Relationship[];
}

const NOT_PLANROOM_CONTENT =
  'The clipboard does not contain components. Copy components from a map, then paste again.';
/** Parses clipboard text. Returns an error message if it is not from a map. */
export function parseClipboard(text: string): ClipboardContent | string {
  let json: Partial<ClipboardContent> | null;
  try {
    json = JSON.parse(text) as Partial<ClipboardContent> | null;
  } catch {
    return NOT_PLANROOM_CONTENT;
  }
  if (!json || typeof json !== 'object' || !Array.isArray(json.components)) return NOT_PLANROOM_CONTENT;
  const components = json.components.filter(isComponent);
  if (components.length === 0 || components.length !== json.components.length) return NOT_PLANROOM_CONTENT;
  const problem = components.map(({ name }) => nameProblem(name)).find(Boolean);
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
