/** The layout of the selected lines. */
import { CornerDownRight, RotateCcw, Slash, Spline } from 'lucide-react';
import { isLineCommandEnabled, type LineCommand, runLineCommand } from '@/map/edits/lineLayout';
import { focusFirstHandle } from '@/map/gestures/lineHandles';
import { editedLine } from '@/map/state/editedLine';
import { useView } from '@/map/state/view';
import { canEdit } from '@/workspace/model';
import type { Action } from './action';

/** The commands on the layout of a line, for menus and the inspector. */
export const LINE_COMMANDS: readonly {
  command: LineCommand;
  title: string;
  icon: NonNullable<Action['icon']>;
}[] = [
  { command: 'straight', title: 'Straight line', icon: Slash },
  { command: 'routed', title: 'Routed line', icon: CornerDownRight },
  { command: 'reset', title: 'Reset line', icon: RotateCcw },
];

const selected = () => useView.getState().selectedRelationships;
const isMap = () => useView.getState().camera !== null;

export const lineActions: readonly Action[] = [
  {
    id: 'line.edit',
    title: 'Edit waypoints',
    group: 'Selection',
    keys: ['E'],
    icon: Spline,
    isEnabled: () => isMap() && editedLine() !== null,
    isListed: canEdit,
    run: focusFirstHandle,
  },
  ...LINE_COMMANDS.map(
    ({ command, title, icon }): Action => ({
      id: `line.${command}`,
      title,
      group: 'Selection',
      icon,
      isEnabled: () => isMap() && isLineCommandEnabled(command, selected()),
      isListed: canEdit,
      run: () => runLineCommand(command, selected()),
    }),
  ),
];
