/** What can be done on the map with what is selected, and with the way one looks at it. */
import {
  ClipboardPaste,
  Copy,
  CopyPlus,
  Hand,
  Maximize,
  MousePointer2,
  Pencil,
  Plus,
  Scan,
  Scissors,
  Trash2,
  Waypoints,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import type { Direction } from '@/core/scene/find';
import { centre } from '@/core/scene/geometry';
import { cancelArrange } from '@/screens/map/canvas/arrange';
import { useCamera, visible } from '@/screens/map/canvas/camera';
import { copy, duplicate, pasteFromMenu } from '@/screens/map/canvas/clipboard';
import { copied, deleteSelected, draftAt, draftBeside, mayEdit } from '@/screens/map/canvas/edits';
import { letGo, useHold } from '@/screens/map/canvas/hold';
import { nudge } from '@/screens/map/canvas/nudge';
import { currentScene } from '@/screens/map/canvas/scenes';
import {
  canWalkLines,
  focusComponent,
  selectAll,
  theOne,
  toggleBox,
  walk,
  walkLines,
} from '@/screens/map/canvas/selection';
import { select, useView } from '@/screens/map/view';
import type { Action } from './action';

const isMap = () => useView.getState().camera !== null;
const hasSelection = () => {
  const { selectedComponents, selectedRelationships } = useView.getState();
  return isMap() && selectedComponents.size + selectedRelationships.size > 0;
};
const hasComponents = () => isMap() && useView.getState().selectedComponents.size > 0;
const hasOne = () => isMap() && theOne() !== null;
const hasTwo = () => isMap() && useView.getState().selectedComponents.size === 2;

const one = (run: (id: string) => void) => () => {
  const id = theOne();
  if (id) run(id);
};

const KEY: Record<Direction, string> = {
  left: 'ArrowLeft',
  right: 'ArrowRight',
  up: 'ArrowUp',
  down: 'ArrowDown',
};
const DIRECTIONS = Object.keys(KEY) as Direction[];

export const mapActions: readonly Action[] = [
  {
    id: 'map.add',
    title: 'Add component',
    group: 'Map',
    keys: ['N'],
    icon: Plus,
    isEnabled: isMap,
    run: () => draftAt(centre(visible()), null),
  },
  {
    id: 'map.connect',
    title: 'Connect selected components',
    group: 'Selection',
    keys: ['C'],
    icon: Waypoints,
    isEnabled: hasTwo,
    run: () => {
      if (!mayEdit()) return;
      const [from, to] = useView.getState().selectedComponents;
      const { width, height } = useCamera.getState();
      if (from && to) useHold.setState({ joining: { from, to, at: { x: width / 2, y: height / 2 } } });
    },
  },
  {
    id: 'map.rename',
    title: 'Rename',
    group: 'Selection',
    keys: ['F2'],
    icon: Pencil,
    isEnabled: hasOne,
    run: one((id) => {
      if (!mayEdit()) return;
      if (useCamera.getState().far) useView.getState().camera?.reveal(id);
      useView.setState({ renaming: id });
    }),
  },
  {
    id: 'map.delete',
    title: 'Delete',
    group: 'Selection',
    keys: ['Delete', 'Backspace'],
    icon: Trash2,
    isEnabled: hasSelection,
    run: () => {
      deleteSelected();
      focusComponent(null);
    },
  },
  {
    id: 'map.fold',
    title: 'Collapse or expand group',
    group: 'Selection',
    keys: ['B'],
    isEnabled: () => hasOne() && (currentScene().family.parts.get(theOne() ?? '')?.length ?? 0) > 0,
    run: one(toggleBox),
  },
  {
    id: 'map.line.next',
    title: 'Select next relationship',
    group: 'Selection',
    keys: ['R'],
    isEnabled: () => isMap() && canWalkLines(),
    run: () => walkLines(1),
  },
  {
    id: 'map.line.previous',
    title: 'Select previous relationship',
    group: 'Selection',
    keys: ['Shift+R'],
    isEnabled: () => isMap() && canWalkLines(),
    run: () => walkLines(-1),
  },
  {
    id: 'map.selectAll',
    title: 'Select all',
    group: 'Edit',
    keys: ['Mod+A'],
    isEnabled: isMap,
    run: selectAll,
  },
  // Their keys are the browser's own: bound ones would keep its clipboard from us.
  {
    id: 'map.copy',
    title: 'Copy',
    group: 'Edit',
    nativeKeys: ['Mod+C'],
    icon: Copy,
    isEnabled: () => hasComponents() && copied() !== null,
    run: copy,
  },
  {
    id: 'map.cut',
    title: 'Cut',
    group: 'Edit',
    nativeKeys: ['Mod+X'],
    icon: Scissors,
    isEnabled: hasComponents,
    run: async () => {
      if (!mayEdit()) return;
      await copy();
      deleteSelected('Cut');
    },
  },
  {
    id: 'map.paste',
    title: 'Paste',
    group: 'Edit',
    nativeKeys: ['Mod+V'],
    icon: ClipboardPaste,
    isEnabled: isMap,
    run: pasteFromMenu,
  },
  {
    id: 'map.duplicate',
    title: 'Duplicate',
    group: 'Edit',
    keys: ['Mod+D'],
    icon: CopyPlus,
    isEnabled: hasComponents,
    run: duplicate,
  },
  {
    id: 'map.letGo',
    title: 'Clear selection',
    group: 'Selection',
    keys: ['Escape'],
    isEnabled: isMap,
    run: () => {
      const { preview, arranging } = useHold.getState();
      if (preview || arranging) return cancelArrange();
      letGo();
      select([]);
      focusComponent(null);
    },
  },
  {
    id: 'view.select',
    title: 'Select and move',
    group: 'View',
    keys: ['V'],
    icon: MousePointer2,
    isEnabled: isMap,
    run: () => useView.setState({ tool: 'select' }),
  },
  {
    id: 'view.hand',
    title: 'Pan',
    group: 'View',
    keys: ['H'],
    icon: Hand,
    isEnabled: isMap,
    run: () => useView.setState({ tool: 'hand' }),
  },
  {
    id: 'view.fitAll',
    title: 'Zoom to fit',
    group: 'View',
    keys: ['Shift+1'],
    icon: Maximize,
    isEnabled: isMap,
    run: () => useView.getState().camera?.fit(),
  },
  {
    id: 'view.fitSelection',
    title: 'Zoom to selection',
    group: 'View',
    keys: ['Shift+2'],
    icon: Scan,
    isEnabled: hasComponents,
    run: () => useView.getState().camera?.fit([...useView.getState().selectedComponents]),
  },
  {
    id: 'view.fullSize',
    title: 'Zoom to 100%',
    group: 'View',
    keys: ['Shift+0'],
    isEnabled: isMap,
    run: () => useView.getState().camera?.zoomTo(1),
  },
  {
    id: 'view.zoomIn',
    title: 'Zoom in',
    group: 'View',
    keys: ['+', '='],
    icon: ZoomIn,
    isEnabled: isMap,
    run: () => useView.getState().camera?.zoomBy(1.25),
  },
  {
    id: 'view.zoomOut',
    title: 'Zoom out',
    group: 'View',
    keys: ['-'],
    icon: ZoomOut,
    isEnabled: isMap,
    run: () => useView.getState().camera?.zoomBy(0.8),
  },
  ...DIRECTIONS.flatMap((direction): Action[] => [
    {
      id: `map.nudge.${direction}`,
      title: `Move ${direction}`,
      group: 'Arrange',
      keys: [KEY[direction]],
      isEnabled: isMap,
      run: () => nudge(direction, false),
    },
    {
      id: `map.nudgeFar.${direction}`,
      title: `Move ${direction} by a large step`,
      group: 'Arrange',
      keys: [`Shift+${KEY[direction]}`],
      isEnabled: isMap,
      run: () => nudge(direction, true),
    },
    {
      id: `map.addBeside.${direction}`,
      title: `Add connected component: ${direction}`,
      group: 'Map',
      keys: [`Mod+${KEY[direction]}`],
      isEnabled: hasOne,
      run: one((id) => draftBeside(id, direction)),
    },
    {
      id: `map.walk.${direction}`,
      title: `Go to neighbor: ${direction}`,
      group: 'Go to',
      keys: [`Alt+${KEY[direction]}`],
      isEnabled: isMap,
      run: () => walk(direction),
    },
    {
      id: `map.walkAdding.${direction}`,
      title: `Add neighbor to selection: ${direction}`,
      group: 'Selection',
      keys: [`Alt+Shift+${KEY[direction]}`],
      isEnabled: isMap,
      run: () => walk(direction, true),
    },
  ]),
];
