/** What a person chooses to see of a model: the lens that colours components, and the filters that let them through. */

/** By what components are coloured. */
export type Lens = 'type' | 'lifecycle' | 'owner' | 'team' | 'nobody';

/** Which components are shown. An empty set lets all through. */
export interface Filters {
  text: string;
  /** Ids of types; of custom types what `typeKey` makes of them. */
  typeIds: ReadonlySet<string>;
  /** Ids of states; `''` for components that have none. */
  lifecycles: ReadonlySet<string>;
  /** Ids of people and teams; `''` for components without an owner. */
  holders: ReadonlySet<string>;
  relationTypeIds: ReadonlySet<string>;
}

export const NO_FILTERS: Filters = {
  text: '',
  typeIds: new Set(),
  lifecycles: new Set(),
  holders: new Set(),
  relationTypeIds: new Set(),
};

/** What each lens is called. */
export const LENSES: readonly { id: Lens; name: string }[] = [
  { id: 'type', name: 'Type' },
  { id: 'lifecycle', name: 'Lifecycle' },
  { id: 'owner', name: 'Owner' },
  { id: 'team', name: 'Team' },
  { id: 'nobody', name: 'Nobody' },
];
