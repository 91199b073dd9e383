/** Actions on the map and its selection. */
import {
  ClipboardPaste,
  Copy,
  CopyPlus,
  Focus,
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
import type { Direction } from '@/core/scene/hitTest';
import { copySelection, duplicateSelection, pasteFromMenu } from '@/map/edits/clipboard';
import { checkCanEdit, deleteSelected, startDraftBeside, startDraftInView } from '@/map/edits/edits';
import { cancelLayout } from '@/map/edits/layout';
import { nudge } from '@/map/edits/nudge';
import { clipboardText } from '@/map/edits/pasting';
import { connect, editLine } from '@/map/edits/relationships';
import { useCamera } from '@/map/state/camera';
import { cancelInteraction, useInteraction } from '@/map/state/interaction';
import { openView } from '@/map/state/openView';
import { relatedToSelection } from '@/map/state/related';
import { currentScene } from '@/map/state/scenes';
import {
  canSelectNextRelationship,
  focusComponent,
  selectAll,
  selectNeighbor,
  selectNextRelationship,
  targetComponent,
  toggleGroup,
} from '@/map/state/selection';
import { setSelection, useView } from '@/map/state/view';
import { openViewDialog } from '@/map/state/viewDialogs';
import { canEdit } from '@/workspace/model';
import type { Action } from './action';

const isMap = () => useView.getState().camera !== null;
const hasSelection = () => {
  const { selectedComponents, selectedRelationships, selectedNotes } = useView.getState();
  return isMap() && selectedComponents.size + selectedRelationships.size + selectedNotes.size > 0;
};
/** Whether something that can be copied is selected. */
const hasItems = () => {
  const { selectedComponents, selectedNotes } = useView.getState();
  return isMap() && selectedComponents.size + selectedNotes.size > 0;
};
const hasComponents = () => isMap() && useView.getState().selectedComponents.size > 0;
const hasOne = () => isMap() && targetComponent() !== null;
/** Whether exactly one component is selected. */
const isSingle = () => isMap() && useView.getState().selectedComponents.size === 1;
const hasTwo = () => isMap() && useView.getState().selectedComponents.size === 2;

const hasContent = () => currentScene().nodes.length > 0;
const hasExpandedGroup = () => {
  const { collapsed } = useView.getState();
  return [...currentScene().containment.children.keys()].some((id) => !collapsed.has(id));
};

/** The selected relationship, if nothing else is selected. */
const onlyRelationship = () => {
  const { selectedComponents, selectedRelationships } = useView.getState();
  const [id] = selectedRelationships;
  return selectedComponents.size === 0 && selectedRelationships.size === 1 ? id : undefined;
};

const onTarget = (run: (id: string) => void) => () => {
  const id = targetComponent();
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
    isListed: canEdit,
    run: startDraftInView,
  },
  {
    id: 'map.connect',
    title: () => (hasTwo() ? 'Connect selected components' : 'Connect to…'),
    group: 'Selection',
    keys: ['C'],
    icon: Waypoints,
    isEnabled: () => hasTwo() || isSingle(),
    isListed: canEdit,
    run: () => {
      const [from, to] = useView.getState().selectedComponents;
      if (hasTwo() && from && to) return connect(from, to);
      if (from && checkCanEdit()) useInteraction.setState({ connectingFrom: from });
    },
  },
  {
    id: 'map.rename',
    title: () => (onlyRelationship() ? 'Edit label' : 'Rename'),
    group: 'Selection',
    keys: ['F2'],
    icon: Pencil,
    isEnabled: () => hasOne() || (isMap() && onlyRelationship() !== undefined),
    isListed: canEdit,
    run: () => {
      const line = onlyRelationship();
      if (line !== undefined) return editLine(line);
      const id = targetComponent();
      if (id === null || !checkCanEdit()) return;
      if (useCamera.getState().isOverview) useView.getState().camera?.reveal(id);
      useView.setState({ renaming: id });
    },
  },
  {
    id: 'map.delete',
    title: () => (openView() && hasComponents() ? 'Remove or delete…' : 'Delete'),
    group: 'Selection',
    keys: ['Delete', 'Backspace'],
    icon: Trash2,
    isEnabled: hasSelection,
    isListed: canEdit,
    run: () => {
      // In a view, components can be removed from the view or deleted. The dialog asks.
      if (openView() && hasComponents() && checkCanEdit()) return openViewDialog({ kind: 'remove' });
      deleteSelected();
      focusComponent(null);
    },
  },
  {
    id: 'map.toggleGroup',
    title: 'Collapse or expand group',
    group: 'Selection',
    keys: ['B'],
    isEnabled: () =>
      hasOne() && (currentScene().containment.children.get(targetComponent() ?? '')?.length ?? 0) > 0,
    run: onTarget(toggleGroup),
  },
  {
    id: 'map.collapseAll',
    title: 'Collapse all groups',
    group: 'View',
    isEnabled: () => isMap() && currentScene().nodes.some(({ isGroup }) => isGroup),
    isListed: hasExpandedGroup,
    run: () => useView.setState({ collapsed: new Set(currentScene().containment.children.keys()) }),
  },
  {
    id: 'map.expandAll',
    title: 'Expand all groups',
    group: 'View',
    isEnabled: () => isMap() && currentScene().hidden.size > 0,
    run: () => useView.setState({ collapsed: new Set() }),
  },
  {
    id: 'map.nextRelationship',
    title: 'Select next relationship',
    group: 'Selection',
    keys: ['R'],
    isEnabled: () => isMap() && canSelectNextRelationship(),
    run: () => selectNextRelationship(1),
  },
  {
    id: 'map.previousRelationship',
    title: 'Select previous relationship',
    group: 'Selection',
    keys: ['Shift+R'],
    isEnabled: () => isMap() && canSelectNextRelationship(),
    run: () => selectNextRelationship(-1),
  },
  {
    id: 'map.selectAll',
    title: 'Select all',
    group: 'Edit',
    keys: ['Mod+A'],
    isEnabled: isMap,
    isListed: hasContent,
    run: selectAll,
  },
  // The browser handles these shortcuts. Binding them would prevent its clipboard events.
  {
    id: 'map.copy',
    title: 'Copy',
    group: 'Edit',
    nativeKeys: ['Mod+C'],
    icon: Copy,
    isEnabled: () => hasItems() && clipboardText() !== null,
    run: copySelection,
  },
  {
    id: 'map.cut',
    title: 'Cut',
    group: 'Edit',
    nativeKeys: ['Mod+X'],
    icon: Scissors,
    isEnabled: hasItems,
    isListed: canEdit,
    run: async () => {
      if (!checkCanEdit()) return;
      await copySelection();
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
    isListed: canEdit,
    run: pasteFromMenu,
  },
  {
    id: 'map.duplicate',
    title: 'Duplicate',
    group: 'Edit',
    keys: ['Mod+D'],
    icon: CopyPlus,
    isEnabled: hasItems,
    isListed: canEdit,
    run: duplicateSelection,
  },
  {
    id: 'map.clearSelection',
    title: 'Clear selection',
    group: 'Selection',
    keys: ['Escape'],
    isEnabled: isMap,
    isListed: hasSelection,
    run: () => {
      const { preview, computingLayout } = useInteraction.getState();
      if (preview || computingLayout) return cancelLayout();
      cancelInteraction();
      setSelection([]);
      focusComponent(null);
    },
  },
  {
    id: 'view.select',
    title: 'Select with a frame',
    group: 'View',
    keys: ['V'],
    icon: MousePointer2,
    isEnabled: isMap,
    isListed: () => useView.getState().tool !== 'select',
    run: () => useView.setState({ tool: 'select' }),
  },
  {
    id: 'view.hand',
    title: 'Pan and move',
    group: 'View',
    keys: ['H'],
    icon: Hand,
    isEnabled: isMap,
    isListed: () => useView.getState().tool !== 'hand',
    run: () => useView.setState({ tool: 'hand' }),
  },
  {
    id: 'view.fitAll',
    title: 'Zoom to fit',
    group: 'View',
    keys: ['Shift+1'],
    icon: Maximize,
    isEnabled: isMap,
    isListed: hasContent,
    run: () => useView.getState().camera?.fit(),
  },
  {
    id: 'view.fitSelection',
    title: 'Zoom to selection',
    group: 'View',
    keys: ['Shift+2'],
    icon: Scan,
    isEnabled: hasItems,
    run: () => {
      const { camera, selectedComponents, selectedNotes } = useView.getState();
      camera?.fit([...selectedComponents], [...selectedNotes]);
    },
  },
  {
    id: 'view.focus',
    title: 'Zoom to neighborhood',
    group: 'View',
    keys: ['F'],
    icon: Focus,
    isEnabled: hasComponents,
    run: () => {
      const { selectedComponents, selectedRelationships, camera } = useView.getState();
      const related = relatedToSelection(currentScene(), selectedComponents, selectedRelationships);
      camera?.fit([...(related ?? selectedComponents)]);
    },
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
      isListed: () => false,
      run: () => nudge(direction, false),
    },
    {
      id: `map.nudgeFar.${direction}`,
      title: `Move ${direction} by a large step`,
      group: 'Arrange',
      keys: [`Shift+${KEY[direction]}`],
      isEnabled: isMap,
      isListed: () => false,
      run: () => nudge(direction, true),
    },
    {
      id: `map.addBeside.${direction}`,
      title: `Add connected component: ${direction}`,
      group: 'Map',
      keys: [`Mod+${KEY[direction]}`],
      isEnabled: hasOne,
      isListed: canEdit,
      run: onTarget((id) => startDraftBeside(id, direction)),
    },
    {
      id: `map.selectNeighbor.${direction}`,
      title: `Go to neighbor: ${direction}`,
      group: 'Go to',
      keys: [`Alt+${KEY[direction]}`],
      isEnabled: isMap,
      isListed: hasOne,
      run: () => selectNeighbor(direction),
    },
    {
      id: `map.addNeighbor.${direction}`,
      title: `Add neighbor to selection: ${direction}`,
      group: 'Selection',
      keys: [`Alt+Shift+${KEY[direction]}`],
      isEnabled: isMap,
      isListed: hasOne,
      run: () => selectNeighbor(direction, true),
    },
  ]),
];
