/**
 * How this window shows the map: selection, lens, filters, highlights. Not stored on the server. `urlQuery.ts`
 * mirrors the selection and viewport in the URL.
 */
import { create } from 'zustand';
import type { ImpactRole } from '@/core/impact/results';
import { type Filters, type Lens, NO_FILTERS } from '@/core/model/viewOptions';
import type { Point, Rect } from '@/core/scene/geometry';

export type { Filters, Lens };

/** How playback, a comparison or the impact view highlights an item. */
export type HighlightKind = 'current' | 'visited' | 'added' | 'changed' | 'removed' | ImpactRole;

/** What is highlighted on the map. */
export interface Highlight {
  components: ReadonlyMap<string, HighlightKind>;
  relationships: ReadonlyMap<string, HighlightKind>;
  /** Whether everything else is dimmed. */
  dimOthers: boolean;
  /** Messages between components without a relationship, drawn while they are highlighted. */
  lines?: readonly HighlightLine[];
  /** Removed items, drawn at their previous position. */
  removed?: readonly RemovedComponent[];
}

/** A removed component. */
export interface RemovedComponent {
  id: string;
  name: string;
  x: number;
  y: number;
}

/** A line between components that is not a relationship. Source and target are the same for a message to itself. */
export interface HighlightLine {
  from: string;
  to: string;
  label: string;
  /** The tone of the current step by default. */
  tone?: HighlightKind;
}

/** Commands of the canvas, set while it is mounted. */
export interface Camera {
  /** Zooms to fit everything, or the given ids. */
  fit(componentIds?: readonly string[]): void;
  /**
   * Scrolls a component into view without changing the zoom. With a second one, shows both, zooming out as far as names
   * stay readable; otherwise only the first.
   */
  reveal(componentId: string, beside?: string): void;
  zoomTo(zoom: number): void;
  zoomBy(factor: number): void;
  /** The visible part of the map, in map units. */
  visible(): Rect;
  /** A point of the window, in map units. */
  toMap(point: Point): Point;
}

/** When the inspector is shown: never, while something is selected, or always (without a selection: the workspace). */
export type InspectorMode = 'closed' | 'selection' | 'open';

export interface View {
  selectedComponents: ReadonlySet<string>;
  selectedRelationships: ReadonlySet<string>;
  /** What dragging empty space does: `hand` pans, `select` draws a frame. */
  tool: 'select' | 'hand';
  lens: Lens;
  filters: Filters;
  /** Collapsed groups. */
  collapsed: ReadonlySet<string>;
  highlight: Highlight | null;
  camera: Camera | null;
  /** The component whose name is being edited on the canvas. */
  renaming: string | null;
  inspector: InspectorMode;
  /** Width of the inspector in pixels; null for the default. */
  inspectorWidth: number | null;
  /** Whether recent changes are shown in place of the inspector. */
  historyOpen: boolean;
  panelOpen: boolean;
}

export const useView = create<View>()(() => ({
  selectedComponents: new Set<string>(),
  selectedRelationships: new Set<string>(),
  tool: 'hand',
  lens: 'type',
  filters: NO_FILTERS,
  collapsed: new Set<string>(),
  highlight: null,
  camera: null,
  renaming: null,
  inspector: 'selection',
  inspectorWidth: null,
  historyOpen: false,
  panelOpen: false,
}));

/** Selects exactly the given items. */
export function setSelection(componentIds: Iterable<string>, relationshipIds: Iterable<string> = []): void {
  useView.setState({
    selectedComponents: new Set(componentIds),
    selectedRelationships: new Set(relationshipIds),
  });
}
