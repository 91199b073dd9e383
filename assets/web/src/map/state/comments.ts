/** The panel of comments: whether it is open, which thread it shows, and what a new thread is about. */
import { flushSync } from 'react-dom';
import { create } from 'zustand';
import type { NewAnchor } from '@/api/generated';
import { openView } from './openView';
import { useView } from './view';

/** The element ID of the panel. */
export const COMMENTS_ID = 'comments';

interface Comments {
  /** The shown thread; null: the list. */
  threadId: string | null;
  /** The anchor whose threads are listed, and that a new thread is about; null: all threads. */
  anchor: NewAnchor | null;
  /** Whether the form for a new thread is open. */
  isWriting: boolean;
  /** Whether the map shows marks for open threads. */
  marks: boolean;
}

const KEY = 'planroom.commentMarks';

export const useComments = create<Comments>()(() => ({
  threadId: null,
  anchor: null,
  isWriting: false,
  marks: localStorage.getItem(KEY) !== 'hidden',
}));

function open(state: Partial<Comments>): void {
  flushSync(() => {
    useComments.setState({ threadId: null, anchor: null, isWriting: false, ...state });
    useView.setState({ commentsOpen: true, historyOpen: false });
  });
  document.getElementById(COMMENTS_ID)?.querySelector<HTMLElement>('textarea, [data-first]')?.focus();
}

/** Shows all threads, or those of an anchor. */
export function showComments(anchor: NewAnchor | null = null): void {
  open({ anchor });
}

export function showThread(threadId: string, anchor: NewAnchor | null = null): void {
  open({ threadId, anchor });
}

/** Opens the form for a new thread. */
export function writeComment(anchor: NewAnchor): void {
  open({ anchor, isWriting: true });
}

export function hideComments(): void {
  useView.setState({ commentsOpen: false });
}

export function toggleComments(): void {
  if (useView.getState().commentsOpen) hideComments();
  else showComments();
}

/** What a new comment is about: the selected component or relationship, else the open view or the workspace. */
export function selectedAnchor(): NewAnchor {
  const { selectedComponents, selectedRelationships } = useView.getState();
  const [component] = selectedComponents;
  const [relationship] = selectedRelationships;
  if (component !== undefined && selectedComponents.size === 1) return { type: 'component', id: component };
  if (relationship !== undefined && selectedRelationships.size === 1)
    return { type: 'relationship', id: relationship };
  return mapAnchor();
}

/** The open view, or the workspace. */
export function mapAnchor(point?: { x: number; y: number }): NewAnchor {
  const view = openView();
  const at = point ? { x: Math.round(point.x), y: Math.round(point.y) } : {};
  return view && !view.isPersonal ? { type: 'view', id: view.view.id, ...at } : { type: 'workspace', ...at };
}

/** Shows or hides the marks on the map. The choice is stored in this browser. */
export function setCommentMarks(marks: boolean): void {
  useComments.setState({ marks });
  localStorage.setItem(KEY, marks ? 'shown' : 'hidden');
}
