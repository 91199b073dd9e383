/**
 * How this window looks at the map: what is selected, coloured, hidden, lit. None of it is saved on the server; what an
 * address should bring back (selection, zoom, process and step) is mirrored in the URL by `urlQuery.ts`.
 */
import { create } from 'zustand';
import type { ImpactRole } from '@/core/impact/results';
import { type Filters, type Lens, NO_FILTERS } from '@/core/model/viewOptions';
import type { Point, Rect } from '@/core/scene/geometry';

export type { Filters, Lens };

/** How something is lit by a process that plays, a comparison, or a question about dependencies. */
export type HighlightKind = 'current' | 'visited' | 'added' | 'changed' | 'removed' | ImpactRole;

/** What is lit on the map. */
export interface Highlight {
  components: ReadonlyMap<string, HighlightKind>;
  relationships: ReadonlyMap<string, HighlightKind>;
  /** Whether everything else steps back. */
  dimOthers: boolean;
  /** What goes between two components that no relationship joins: drawn as long as it is lit. */
  lines?: readonly HighlightLine[];
  /** What was on the map and is not any more: drawn where it was. */
  removed?: readonly RemovedComponent[];
}

/** A component that is not there any more. */
export interface RemovedComponent {
  id: string;
  name: string;
  x: number;
  y: number;
}

/** A line from one component to another that is no relationship. The same at both ends for one to itself. */
export interface HighlightLine {
  from: string;
  to: string;
  label: string;
  /** That of the step which plays, unless told. */
  tone?: HighlightKind;
}

/** What the canvas can be asked to do; set by the canvas as long as it is there. */
export interface Camera {
  /** Shows all, or these. */
  fit(componentIds?: readonly string[]): void;
  /**
   * Brings one into view without changing the zoom. With another it belongs to, both: from further away where that is
   * needed and still can be read, else the one.
   */
  reveal(componentId: string, beside?: string): void;
  zoomTo(zoom: number): void;
  zoomBy(factor: number): void;
  /** The part of the map that is seen, in map units. */
  visible(): Rect;
  /** A point of the window, in map units. */
  toMap(point: Point): Point;
}

export interface View {
  selectedComponents: ReadonlySet<string>;
  selectedRelationships: ReadonlySet<string>;
  tool: 'select' | 'hand';
  lens: Lens;
  filters: Filters;
  /** Boxes that are drawn as one component. */
  collapsed: ReadonlySet<string>;
  highlight: Highlight | null;
  camera: Camera | null;
  /** The component whose name is being edited on the canvas. */
  renaming: string | null;
  inspectorOpen: boolean;
  /** Whether what was done recently stands where the inspector stands else. */
  historyOpen: boolean;
  panelOpen: boolean;
}

export const useView = create<View>()(() => ({
  selectedComponents: new Set<string>(),
  selectedRelationships: new Set<string>(),
  tool: 'select',
  lens: 'type',
  filters: NO_FILTERS,
  collapsed: new Set<string>(),
  highlight: null,
  camera: null,
  renaming: null,
  inspectorOpen: true,
  historyOpen: false,
  panelOpen: true,
}));

/** Selects these and nothing else. */
export function setSelection(componentIds: Iterable<string>, relationshipIds: Iterable<string> = []): void {
  useView.setState({
    selectedComponents: new Set(componentIds),
    selectedRelationships: new Set(relationshipIds),
  });
}
