/** The current interaction in this window: a drag, a selection frame, a new connection, a draft, a layout preview. */
import { create } from 'zustand';
import type { NoteKind } from '@/api/generated';
import type { LayoutScope } from '@/core/layout/blocks';
import type { LayoutDirection, LayoutStyle } from '@/core/layout/layoutTask';
import type { Drop } from '@/core/scene/drop';
import type { Point, Rect } from '@/core/scene/geometry';
import type { LineLayout } from '@/core/scene/lineLayout';
import type { Placement } from '@/core/scene/scene';
import type { Guide } from '@/core/scene/snap';
import type { Move } from '@/core/sync/operation';

/** A new component that has not been named. */
export interface ComponentDraft {
  at: Point;
  /** Whether the user has not chosen the position: the server does, and `at` is where it will be. */
  isPlaced?: boolean;
  /** The group to create it in. */
  parent: string | null;
  /** The component to connect it to. */
  from: string | null;
  /** The parts of the new component, which is a group. */
  parts?: readonly string[];
}

/** A note or frame that has not been created. */
export interface NoteDraft {
  kind: 'note' | 'frame';
  rect: Rect;
}

/** An image that is being uploaded. */
export interface ImageUpload {
  id: string;
  rect: Rect;
}

/** A line being dragged from a component. */
export interface PendingConnection {
  from: string;
  /** The start point of the line. */
  start: Point;
  to: Point;
  /** The component that the line would connect to. */
  target: string | null;
}

/** The layout of a line during a gesture. */
export interface LineDraft {
  id: string;
  layout: LineLayout;
}

/** The layout to compute. */
export interface LayoutRequest {
  style: LayoutStyle;
  direction: LayoutDirection;
  scope: LayoutScope;
  /** What can be arranged instead of the whole map: the components that were selected, or the inside of a group. */
  selection: LayoutScope;
  selected: ReadonlySet<string>;
}

/** A layout that is shown but not applied. */
export interface LayoutPreview {
  request: LayoutRequest;
  moves: readonly Move[];
  /** Whether components were moved away from their place because there was not enough room. */
  isShifted: boolean;
  /** The components that are covered because no room was found. */
  covered: readonly string[];
  /** Lines between the components, whose waypoints are removed. */
  rerouted: ReadonlySet<string>;
}

interface Interaction {
  /** Temporary positions of components, and sizes of groups. */
  moving: ReadonlyMap<string, Placement> | null;
  /** Temporary positions and sizes of notes. */
  movingNotes: ReadonlyMap<string, Rect> | null;
  /** The change of group if the dragged components are dropped now. */
  drop: Drop | null;
  guides: readonly Guide[];
  frame: Rect | null;
  connecting: PendingConnection | null;
  /** The component for which the component to connect to is being selected in a list. */
  connectingFrom: string | null;
  /** The relationship whose label and type are being edited on its line. */
  editingLine: string | null;
  lineDraft: LineDraft | null;
  draft: ComponentDraft | null;
  /** The kind of the note that the next click or drag places. */
  placing: Exclude<NoteKind, 'image'> | null;
  noteDraft: NoteDraft | null;
  /** The note whose text is being edited on the map. */
  editingNote: string | null;
  preview: LayoutPreview | null;
  /** The layout that is being computed. */
  computingLayout: LayoutRequest | null;
  /** Relationships under the pointer. */
  hovered: readonly string[];
  /** The focused component. */
  focused: string | null;
  /** The focused note; if there is one, no component has the focus. */
  focusedNote: string | null;
  /** The screen reader announcement when a relationship is selected by keyboard. */
  announcement: string;
}

const IDLE: Interaction = {
  moving: null,
  movingNotes: null,
  drop: null,
  guides: [],
  frame: null,
  connecting: null,
  connectingFrom: null,
  editingLine: null,
  lineDraft: null,
  draft: null,
  placing: null,
  noteDraft: null,
  editingNote: null,
  preview: null,
  computingLayout: null,
  hovered: [],
  focused: null,
  focusedNote: null,
  announcement: '',
};

export const useInteraction = create<Interaction>()(() => IDLE);

/** The images that are being uploaded. They are independent of the interaction. */
export const useUploads = create<{ uploads: readonly ImageUpload[] }>()(() => ({ uploads: [] }));

/** Ends the interaction without applying it. */
export function cancelInteraction(): void {
  useInteraction.setState(IDLE);
}
