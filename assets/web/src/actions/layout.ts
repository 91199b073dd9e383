/** Layout, alignment and distribution. */
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  GitFork,
  Orbit,
} from 'lucide-react';
import type { Edge } from '@/core/layout/align';
import { align, distribute } from '@/map/edits/alignment';
import { describeScope, startLayout } from '@/map/edits/layout';
import { currentScene } from '@/map/state/scenes';
import { useView } from '@/map/state/view';
import { canEdit } from '@/workspace/model';
import type { Action } from './action';

/** The number of selected components and notes. */
const count = () => {
  const { camera, selectedComponents, selectedNotes } = useView.getState();
  return camera ? selectedComponents.size + selectedNotes.size : 0;
};
const isMap = () => useView.getState().camera !== null;
const scope = () => (isMap() ? describeScope() : 'all');

const ALIGN: readonly { edge: Edge; title: string; key: string; icon: NonNullable<Action['icon']> }[] = [
  { edge: 'left', title: 'Align left', key: 'Alt+Shift+L', icon: AlignStartVertical },
  { edge: 'center', title: 'Align horizontal centers', key: 'Alt+Shift+C', icon: AlignCenterVertical },
  { edge: 'right', title: 'Align right', key: 'Alt+Shift+R', icon: AlignEndVertical },
  { edge: 'top', title: 'Align top', key: 'Alt+Shift+T', icon: AlignStartHorizontal },
  { edge: 'middle', title: 'Align vertical centers', key: 'Alt+Shift+M', icon: AlignCenterHorizontal },
  { edge: 'bottom', title: 'Align bottom', key: 'Alt+Shift+B', icon: AlignEndHorizontal },
];

export const layoutActions: readonly Action[] = [
  {
    id: 'arrange.layered',
    title: () => `Layered layout: ${scope()}`,
    group: 'Arrange',
    keys: ['Alt+Shift+A'],
    icon: GitFork,
    isEnabled: isMap,
    isListed: () => canEdit() && currentScene().nodes.length > 1,
    run: () => startLayout('layered'),
  },
  {
    id: 'arrange.organic',
    title: () => `Organic layout: ${scope()}`,
    group: 'Arrange',
    keys: ['Alt+Shift+O'],
    icon: Orbit,
    isEnabled: isMap,
    isListed: () => canEdit() && currentScene().nodes.length > 1,
    run: () => startLayout('organic'),
  },
  ...ALIGN.map(
    ({ edge, title, key, icon }): Action => ({
      id: `arrange.${edge}`,
      title,
      group: 'Arrange',
      keys: [key],
      icon,
      isEnabled: () => count() > 1,
      isListed: canEdit,
      run: () => align(edge),
    }),
  ),
  {
    id: 'arrange.distributeHorizontally',
    title: 'Distribute horizontally',
    group: 'Arrange',
    keys: ['Alt+Shift+H'],
    icon: AlignHorizontalDistributeCenter,
    isEnabled: () => count() > 2,
    isListed: canEdit,
    run: () => distribute('x'),
  },
  {
    id: 'arrange.distributeVertically',
    title: 'Distribute vertically',
    group: 'Arrange',
    keys: ['Alt+Shift+V'],
    icon: AlignVerticalDistributeCenter,
    isEnabled: () => count() > 2,
    isListed: canEdit,
    run: () => distribute('y'),
  },
];
