/** The part of a workspace shown on other pages: a thumbnail and responsibilities. */

import type { Bundle } from '@/api/generated';
import { CONTAINS } from '@/core/containment/containment';
import { CUSTOM_TYPE_PROPERTY } from '@/core/model/customTypes';

export interface DigestComponent {
  id: string;
  name: string;
  typeId: string;
  /** The kind or local type, as stored in the properties; absent if there is none. */
  customType?: string;
  x: number;
  y: number;
}

/** A person or team that is responsible for a component. */
export interface DigestStakeholder {
  componentId: string;
  personId: string | null;
  teamId: string | null;
  roleId: string;
}

export interface Digest {
  components: readonly DigestComponent[];
  /** The indexes of both ends in `components`, and whether the second is part of the first. */
  lines: readonly { from: number; to: number; contains: boolean }[];
  stakeholders: readonly DigestStakeholder[];
}

/** Reduces a bundle to the data shown on other pages. */
export function toDigest(bundle: Pick<Bundle, 'components' | 'relationships' | 'stakeholders'>): Digest {
  const place = new Map(bundle.components.map((component, at) => [component.id, at]));
  const lines = bundle.relationships.flatMap(({ sourceId, targetId, typeId }) => {
    const from = place.get(sourceId);
    const to = place.get(targetId);
    return from === undefined || to === undefined ? [] : [{ from, to, contains: typeId === CONTAINS }];
  });
  return {
    components: bundle.components.map(({ id, name, typeId, x, y, properties }) => {
      const customType = properties[CUSTOM_TYPE_PROPERTY];
      return { id, name, typeId, x, y, ...(typeof customType === 'string' ? { customType } : {}) };
    }),
    lines,
    stakeholders: bundle.stakeholders.map(({ componentId, personId, teamId, linkType }) => ({
      componentId,
      personId,
      teamId,
      roleId: linkType,
    })),
  };
}
