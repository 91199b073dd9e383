/** The models and cases of views that the server is tested with too. */
import type { Catalogue, ComponentKind } from '@/api/generated';
import { allTypes } from '../model/customTypes';
import { buildModel, type Model } from '../model/model';
import { sample } from '../model/testing';
import type { Selector, ViewRules } from '../sync/viewRows';
import type { Memberships } from './memberships';

/** A model as in the files with cases. */
export interface CaseModel {
  kinds: readonly Pick<ComponentKind, 'id' | 'name' | 'baseType'>[];
  teams: readonly { id: string; name: string; members: readonly string[] }[];
  people: readonly { id: string; name: string }[];
  components: readonly { id: string; properties?: Record<string, unknown> }[];
  relationships: readonly { id: string; sourceId: string; typeId: string; targetId: string }[];
  stakeholders: readonly { componentId: string; personId?: string; teamId?: string; linkType: string }[];
}

export interface Case {
  title?: string;
  /** Whether the server refuses the definition. */
  refused?: boolean;
  definition: Partial<ViewRules>;
  components: string[];
  relationships: string[];
  stubs: Record<string, string[]>;
  /** The ends of implied relationships; absent if there are none. */
  implied?: Record<string, [source: string, target: string]>;
}

/** A definition with the defaults of the server. */
export function rules(definition: Partial<ViewRules>): ViewRules {
  return { include: [], exclude: [], relationTypes: null, outside: 'hidden', ...definition };
}

export function select(selector: Selector): ViewRules {
  return rules({ include: [selector] });
}

export function modelOf(of: CaseModel, catalog: unknown): { model: Model; memberships: Memberships } {
  const named = (list: readonly { id: string; name: string }[], id: string | null) =>
    id === null ? null : { id, name: list.find((one) => one.id === id)?.name ?? '' };
  const rows = sample({ components: of.components, stakeholders: of.stakeholders });
  const stakeholder = new Map(
    [...rows.stakeholder].map(([id, link]) => [
      id,
      { ...link, person: named(of.people, link.personId), team: named(of.teams, link.teamId) },
    ]),
  );
  const relationship = new Map(of.relationships.map((row) => [row.id, row]));
  const types = allTypes(of.kinds as readonly ComponentKind[], []);
  const memberships = new Map(
    of.people.map(({ id }) => [
      id,
      new Set(of.teams.filter(({ members }) => members.includes(id)).map((team) => team.id)),
    ]),
  );
  return {
    model: buildModel(
      { ...rows, relationship, stakeholder } as unknown as typeof rows,
      catalog as Catalogue,
      types,
    ),
    memberships,
  };
}
