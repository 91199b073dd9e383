/** View options of a map: the lens that colors components, and the filters. */

/** The attribute that determines the color of components. */
export type Lens = 'type' | 'lifecycle' | 'owner' | 'team' | 'unowned' | 'drift';

/** Determines which components are shown. An empty set matches everything. */
export interface Filters {
  text: string;
  /** IDs of types; for custom types, their `typeKey`. */
  typeIds: ReadonlySet<string>;
  /** IDs of lifecycle states; `''` for components without one. */
  lifecycles: ReadonlySet<string>;
  /** IDs of people and teams; `''` for components without an owner. */
  holders: ReadonlySet<string>;
  relationTypeIds: ReadonlySet<string>;
  /** How components differ from code (`DriftState`). */
  drift: ReadonlySet<string>;
}

export const NO_FILTERS: Filters = {
  text: '',
  typeIds: new Set(),
  lifecycles: new Set(),
  holders: new Set(),
  relationTypeIds: new Set(),
  drift: new Set(),
};

/** The names of the lenses. */
export const LENSES: readonly { id: Lens; name: string }[] = [
  { id: 'type', name: 'Type' },
  { id: 'lifecycle', name: 'Lifecycle' },
  { id: 'owner', name: 'Owner' },
  { id: 'team', name: 'Team' },
  { id: 'unowned', name: 'Unowned' },
  { id: 'drift', name: 'Drift' },
];
