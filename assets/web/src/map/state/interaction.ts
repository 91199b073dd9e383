/** The interaction under way in this window: a drag, a selection frame, a new connection, a draft, a layout preview. */
import { create } from 'zustand';
import type { LayoutStyle } from '@/core/layout/layoutTask';
import type { Point, Rect } from '@/core/scene/geometry';
import type { Guide } from '@/core/scene/snap';
import type { Move } from '@/core/sync/operation';

/** A component that gets its name before it is. */
export interface ComponentDraft {
  at: Point;
  /** The box it is to be a part of. */
  parent: string | null;
  /** The component it will be connected from. */
  from: string | null;
}

/** A line that is drawn from a component. */
export interface PendingConnection {
  from: string;
  to: Point;
  /** What it would connect to. */
  target: string | null;
}

/** Two that are to be connected; only the type is missing. */
export interface NewConnection {
  from: string;
  to: string;
  /** Where in the window to ask. */
  at: Point;
}

/** An arrangement that is shown and not applied yet. */
export interface LayoutPreview {
  style: LayoutStyle;
  moves: readonly Move[];
}

interface Interaction {
  /** Where things are shown instead of where they are. */
  moving: ReadonlyMap<string, Point> | null;
  guides: readonly Guide[];
  frame: Rect | null;
  connecting: PendingConnection | null;
  newConnection: NewConnection | null;
  draft: ComponentDraft | null;
  preview: LayoutPreview | null;
  /** An arrangement is being computed. */
  computingLayout: LayoutStyle | null;
  /** Relationships under the pointer. */
  hovered: readonly string[];
  /** The component that has the keyboard. */
  focused: string | null;
  /** What is said of a relationship that was selected by keyboard. */
  announcement: string;
}

const IDLE: Interaction = {
  moving: null,
  guides: [],
  frame: null,
  connecting: null,
  newConnection: null,
  draft: null,
  preview: null,
  computingLayout: null,
  hovered: [],
  focused: null,
  announcement: '',
};

export const useInteraction = create<Interaction>()(() => IDLE);

/** Ends the interaction without applying it. */
export function cancelInteraction(): void {
  useInteraction.setState(IDLE);
}
