/** Actions on groups. */
import { Group, Ungroup } from 'lucide-react';
import type { Direction } from '@/core/scene/hitTest';
import { selectedGroups, startGroup, ungroup } from '@/map/edits/groups';
import { resizeByKey } from '@/map/edits/resize';
import { isExpandedGroup } from '@/map/edits/room';
import { targetComponent } from '@/map/state/selection';
import { useView } from '@/map/state/view';
import { canEdit } from '@/workspace/model';
import type { Action } from './action';

const isMap = () => useView.getState().camera !== null;

/** The selected group, if it is drawn as a frame. */
const targetGroup = () => {
  const id = isMap() ? targetComponent() : null;
  return id !== null && isExpandedGroup(id) ? id : null;
};

const RESIZE: readonly { direction: Direction; title: string; key: string }[] = [
  { direction: 'right', title: 'Make group wider', key: 'ArrowRight' },
  { direction: 'left', title: 'Make group narrower', key: 'ArrowLeft' },
  { direction: 'down', title: 'Make group taller', key: 'ArrowDown' },
  { direction: 'up', title: 'Make group shorter', key: 'ArrowUp' },
];

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
    ({ direction, title, key }): Action => ({
      id: `map.resize.${direction}`,
      title,
      group: 'Arrange',
      keys: [`Mod+Shift+${key}`],
      isEnabled: () => targetGroup() !== null,
      isListed: () => false,
      run: () => {
        const id = targetGroup();
        if (id !== null) resizeByKey(id, direction);
      },
    }),
  ),
];
