/** Actions on comments. */
import { MessageSquare, MessageSquarePlus } from 'lucide-react';
import { selectedAnchor, toggleComments, writeComment } from '@/map/state/comments';
import { isMapOpen } from '@/map/state/location';
import { useView } from '@/map/state/view';
import type { Action } from './action';

export const commentActions: readonly Action[] = [
  {
    id: 'comments.toggle',
    title: () => (useView.getState().commentsOpen ? 'Hide comments' : 'Show comments'),
    group: 'View',
    keys: ['M'],
    icon: MessageSquare,
    isEnabled: isMapOpen,
    run: toggleComments,
  },
  {
    id: 'comments.add',
    title: () => {
      const { type } = selectedAnchor();
      return type === 'component' || type === 'relationship' ? 'Comment on selection' : `Comment on ${type}`;
    },
    group: 'Selection',
    keys: ['Shift+M'],
    icon: MessageSquarePlus,
    isEnabled: isMapOpen,
    run: () => writeComment(selectedAnchor()),
  },
];
