/** A small workspace for tests. */

import type { Bundle, Catalogue } from '@/api/generated';
import { type Rows, toRows } from '../sync/rows';
import { buildModel } from './model';

const metadata = { revision: 1, createdAt: 0, updatedAt: 0, workspaceId: 'w', properties: {} };

export const catalogue = {
  componentTypes: [
    { id: 'service', name: 'Service', color: '#3B82F6', icon: 'server', iconName: 'server' },
    { id: 'database', name: 'Database', color: '#059669', icon: 'database', iconName: 'database' },
  ],
  relationTypes: [
    { id: 'calls', name: 'calls', color: '#2563EB', directed: true, dependsOn: 'target' },
    { id: 'contains', name: 'contains', color: '#94A3B8', directed: true, dependsOn: 'none' },
  ],
  lifecycleStates: [{ id: 'live', name: 'Live', color: '#34D399' }],
  stakeholderLinkTypes: [],
} as Catalogue;

interface Sample {
  components: readonly ({ id: string } & Record<string, unknown>)[];
  relationships?: readonly (readonly [source: string, type: string, target: string])[];
  stakeholders?: readonly { componentId: string; personId?: string; teamId?: string; linkType: string }[];
  processes?: readonly { id: string; participants: Record<string, string> }[];
}

export function sample({ components, relationships = [], stakeholders = [], processes = [] }: Sample): Rows {
  return toRows({
    workspace: { ...metadata, id: 'w', name: 'W', revision: 1, myRole: 'editor' },
    components: components.map((component) => ({
      ...metadata,
      typeId: 'service',
      name: component.id,
      x: 0,
      y: 0,
      ...component,
    })),
    relationships: relationships.map(([sourceId, typeId, targetId], at) => ({
      ...metadata,
      id: `r${at}`,
      sourceId,
      typeId,
      targetId,
    })),
    stakeholders: stakeholders.map((stakeholder, at) => ({
      ...metadata,
      id: at + 1,
      personId: null,
      teamId: null,
      ...stakeholder,
      person: stakeholder.personId
        ? { id: stakeholder.personId, name: `Name of ${stakeholder.personId}` }
        : null,
      team: stakeholder.teamId ? { id: stakeholder.teamId, name: `Name of ${stakeholder.teamId}` } : null,
    })),
    processes: processes.map((process) => ({
      ...metadata,
      name: process.id,
      mermaid: 'sequenceDiagram',
      ...process,
    })),
    places: {
      components: components.map((_, at) => at),
      relationships: relationships.map((_, at) => at),
      processes: processes.map((_, at) => at),
    },
  } as unknown as Bundle);
}

/** A web shop of three components, with people, teams and a process. */
export const shop = buildModel(
  sample({
    components: [
      { id: 'web', name: 'Web shop', properties: { lifecycle: 'live' } },
      { id: 'pay', name: 'Payments', description: 'Takes the money' },
      { id: 'db', name: 'Café ledger', typeId: 'database' },
    ],
    relationships: [
      ['web', 'calls', 'pay'],
      ['pay', 'contains', 'db'],
      ['web', 'calls', 'web'],
    ],
    stakeholders: [
      { componentId: 'web', personId: 'ada', linkType: 'owner' },
      { componentId: 'web', teamId: 'core', linkType: 'support' },
      { componentId: 'pay', teamId: 'core', linkType: 'owner' },
    ],
    processes: [{ id: 'buy', participants: { W: 'web', P: 'pay', X: 'pay' } }],
  }),
  catalogue,
);
