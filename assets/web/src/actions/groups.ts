/** Actions on groups. */
import { Group, Ungroup } from 'lucide-react';
import type { Direction } from '@/core/scene/hitTest';
import { selectedGroups, startGroup, ungroup } from '@/map/edits/groups';
import { resizeNoteByKey } from '@/map/edits/notes';
import { resizeByKey } from '@/map/edits/resize';
import { isExpandedGroup } from '@/map/edits/room';
import { targetComponent, targetNote } from '@/map/state/selection';
import { useView } from '@/map/state/view';
import { canEdit } from '@/workspace/model';
import type { Action } from './action';

const isMap = () => useView.getState().camera !== null;

/** The selected group, if it is drawn as a frame. */
const targetGroup = () => {
  const id = isMap() ? targetComponent() : null;
  return id !== null && isExpandedGroup(id) ? id : null;
};

const RESIZE: readonly { direction: Direction; adjective: string; key: string }[] = [
  { direction: 'right', adjective: 'wider', key: 'ArrowRight' },
  { direction: 'left', adjective: 'narrower', key: 'ArrowLeft' },
  { direction: 'down', adjective: 'taller', key: 'ArrowDown' },
  { direction: 'up', adjective: 'shorter', key: 'ArrowUp' },
];

/** The selected note, if no group is selected. */
const resizedNote = () => (isMap() && targetGroup() === null ? targetNote() : null);

/** What the actions resize, in words. */
const resizable = () =>
  targetGroup() !== null ? 'group' : resizedNote() !== null ? 'note' : 'group or note';

export const groupingActions: readonly Action[] = [
  {
    id: 'map.group',
    title: 'Group',
    group: 'Selection',
    keys: ['Mod+G'],
    icon: Group,
    isEnabled: () => isMap() && useView.getState().selectedComponents.size > 0,
    isListed: canEdit,
    run: startGroup,
  },
  {
    id: 'map.ungroup',
    title: 'Ungroup',
    group: 'Selection',
    keys: ['Mod+Shift+G'],
    icon: Ungroup,
    isEnabled: () => isMap() && selectedGroups().length > 0,
    isListed: canEdit,
    run: ungroup,
  },
  ...RESIZE.map(
    ({ direction, adjective, key }): Action => ({
      id: `map.resize.${direction}`,
      title: () => `Make ${resizable()} ${adjective}`,
      group: 'Arrange',
      keys: [`Mod+Shift+${key}`],
      isEnabled: () => targetGroup() !== null || resizedNote() !== null,
      isListed: () => false,
      run: () => {
        const [group, note] = [targetGroup(), resizedNote()];
        if (group !== null) resizeByKey(group, direction);
        else if (note !== null) resizeNoteByKey(note, direction);
      },
    }),
  ),
];
