/** What hands hold right now and nobody else sees: things on their way, a frame, a line that is drawn, a new name. */
import { create } from 'zustand';
import type { Style } from '@/core/layout/layoutTask';
import type { Point, Rect } from '@/core/scene/geometry';
import type { Guide } from '@/core/scene/snap';
import type { Move } from '@/core/sync/operation';

/** A component that gets its name before it is. */
export interface Draft {
  at: Point;
  /** The box it is to be a part of. */
  parent: string | null;
  /** The component it will be connected from. */
  from: string | null;
}

/** A line that is drawn from a component. */
export interface Wire {
  from: string;
  to: Point;
  /** What it would connect to. */
  target: string | null;
}

/** Two that are to be connected; only the type is missing. */
export interface Joining {
  from: string;
  to: string;
  /** Where in the window to ask. */
  at: Point;
}

/** An arrangement that is shown and not applied yet. */
export interface Preview {
  style: Style;
  moves: readonly Move[];
}

interface Hold {
  /** Where things are shown instead of where they are. */
  moving: ReadonlyMap<string, Point> | null;
  guides: readonly Guide[];
  frame: Rect | null;
  wire: Wire | null;
  joining: Joining | null;
  draft: Draft | null;
  preview: Preview | null;
  /** An arrangement is being computed. */
  arranging: Style | null;
  /** Relationships under the pointer. */
  hovered: readonly string[];
  /** The component that has the keyboard. */
  focused: string | null;
  /** What is said of a relationship that was selected by keyboard. */
  said: string;
}

const NOTHING: Hold = {
  moving: null,
  guides: [],
  frame: null,
  wire: null,
  joining: null,
  draft: null,
  preview: null,
  arranging: null,
  hovered: [],
  focused: null,
  said: '',
};

export const useHold = create<Hold>()(() => NOTHING);

/** Lets go of everything; nothing of it is done. */
export function letGo(): void {
  useHold.setState(NOTHING);
}
