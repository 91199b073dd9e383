/**
 * How this window shows the map: selection, lens, filters, highlights. Not stored on the server. `urlState.ts` mirrors
 * the selection and viewport in the URL.
 */
import { create } from 'zustand';
import type { ImpactRole } from '@/core/impact/results';
import { type Filters, type Lens, NO_FILTERS } from '@/core/model/viewOptions';
import type { Point, Rect } from '@/core/scene/geometry';

export type { Filters, Lens };

/** How playback, a comparison or the impact view highlights an item. */
export type HighlightKind =
  | 'current'
  | 'visited'
  | 'added'
  | 'changed'
  | 'removed'
  | 'moved'
  | 'conflicting'
  | ImpactRole;

/** The highlighted items on the map. */
export interface Highlight {
  components: ReadonlyMap<string, HighlightKind>;
  relationships: ReadonlyMap<string, HighlightKind>;
  /** Whether everything else is dimmed. */
  dimOthers: boolean;
  /** Messages between components without a relationship, drawn while they are highlighted. */
  lines?: readonly HighlightLine[];
  /** The messages of a process, shown on their lines. */
  messages?: readonly HighlightMessage[];
  /** Notes that were added or changed. */
  notes?: ReadonlyMap<string, HighlightKind>;
  /** Removed components and notes, drawn at their previous position. */
  removed?: readonly RemovedItem[];
}

/** A removed component or note. */
export interface RemovedItem extends Rect {
  kind: 'component' | 'note';
  id: string;
  name: string;
}

/**
 * A line between components that is not a relationship. For a message to the same component, source and target are
 * equal.
 */
export interface HighlightLine {
  from: string;
  to: string;
  label: string;
  /** By default, the tone of the current step. */
  tone?: HighlightKind;
}

/** A message of a process between two components, or from a component to itself. */
export interface HighlightMessage {
  from: string;
  to: string;
  /** The relationship on whose line the message is shown; without one, it has a line of its own. */
  relationship?: string | undefined;
  /** The numbers of the steps, such as `3` or `1, 4`. */
  steps: string;
  text: string;
  isReply: boolean;
  tone: 'current' | 'visited';
}

/** The ID of the route of a highlighted line. Relationship IDs contain no spaces. */
export function highlightLineId({ from, to }: Pick<HighlightLine, 'from' | 'to'>): string {
  return `highlight ${from} ${to}`;
}

/** Commands of the canvas, set while it is mounted. */
export interface Camera {
  /** Zooms to fit everything, or the components and notes with the given IDs. */
  fit(componentIds?: readonly string[], noteIds?: readonly string[]): void;
  /**
   * Pans a component into view without changing the zoom. If `beside` is given, shows both components, zooming out as
   * long as names stay readable; if that is not enough, shows only the first.
   */
  reveal(componentId: string, beside?: string): void;
  /** Pans a note into view. */
  revealNote(noteId: string): void;
  /**
   * Fits components and other areas into the part of the canvas that is not covered if names stay readable. Returns
   * whether they do.
   */
  showTogether(componentIds: readonly string[], others?: readonly Rect[]): boolean;
  zoomTo(zoom: number): void;
  zoomBy(factor: number): void;
  /** The visible part of the map, in map units. */
  visible(): Rect;
  /** Converts a point in the window to map units. */
  toMap(point: Point): Point;
}

/**
 * When the inspector is shown: never, while something is selected, or always (if nothing is selected, it shows the
 * workspace).
 */
export type InspectorMode = 'closed' | 'selection' | 'open';

export interface View {
  selectedComponents: ReadonlySet<string>;
  selectedRelationships: ReadonlySet<string>;
  selectedNotes: ReadonlySet<string>;
  /** The effect of dragging empty space: `hand` pans, `select` draws a frame. */
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
  /** Whether recent changes are shown instead of the inspector. */
  historyOpen: boolean;
  /** Whether the panel of comments is shown, in the place of the inspector. */
  commentsOpen: boolean;
  panelOpen: boolean;
}

export const useView = create<View>()(() => ({
  selectedComponents: new Set<string>(),
  selectedRelationships: new Set<string>(),
  selectedNotes: new Set<string>(),
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
  commentsOpen: false,
  panelOpen: false,
}));

/** Selects exactly the given items. */
export function setSelection(
  componentIds: Iterable<string>,
  relationshipIds: Iterable<string> = [],
  noteIds: Iterable<string> = [],
): void {
  useView.setState({
    selectedComponents: new Set(componentIds),
    selectedRelationships: new Set(relationshipIds),
    selectedNotes: new Set(noteIds),
  });
}
