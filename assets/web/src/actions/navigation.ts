/** Navigation between screens, the command palette and the list of shortcuts. */

import {
  CircleHelp,
  Command,
  FileUp,
  FolderGit2,
  Gavel,
  GitCompareArrows,
  History as HistoryIcon,
  LayoutGrid,
  Map as MapIcon,
  Shapes,
  Share2,
  Table2,
  Users,
  Workflow,
} from 'lucide-react';
import { currentPath } from '@/api/base';
import { openDrift } from '@/map/state/driftUrl';
import { currentLocation, isWorkspaceOpen, openWorkspacePath } from '@/map/state/location';
import { navigate } from '@/routing/location';
import { orgPath } from '@/routing/paths';
import { openBaseId } from '@/workspace/draftRequest';
import { openImport } from '@/workspace/importRequest';
import { canEdit } from '@/workspace/model';
import type { Action } from './action';
import { openDialog, useDialogs } from './dialogs';

const SCREENS = [
  { rest: '', name: 'map', icon: MapIcon },
  { rest: 'table', name: 'table', icon: Table2 },
  { rest: 'processes', name: 'processes', icon: Workflow },
  { rest: 'decisions', name: 'decisions', icon: Gavel },
  { rest: 'history', name: 'history', icon: HistoryIcon },
] as const;

/** Whether a page of the organization exists and is not the current one. */
function isElsewhere(...page: string[]): boolean {
  const { org } = currentLocation();
  return org !== '' && currentPath() !== orgPath(org, ...page);
}

export const navigationActions: readonly Action[] = [
  ...SCREENS.map(
    ({ rest, name, icon }): Action => ({
      id: `go.${rest || 'map'}`,
      title: `Go to ${name}`,
      group: 'Go to',
      icon,
      isEnabled: () => isWorkspaceOpen() && currentLocation().rest !== rest,
      run: () => navigate(rest ? openWorkspacePath(rest) : openWorkspacePath()),
    }),
  ),
  {
    id: 'workspace.share',
    title: 'Share map',
    group: 'Go to',
    icon: Share2,
    isEnabled: () => isWorkspaceOpen() && openBaseId() === undefined,
    run: () => openDialog('share'),
  },
  {
    id: 'workspace.import',
    title: 'Import files',
    group: 'Edit',
    icon: FileUp,
    isEnabled: isWorkspaceOpen,
    isListed: canEdit,
    run: () => openImport(),
  },
  {
    id: 'workspace.sources',
    title: 'Show sources',
    group: 'Go to',
    icon: FolderGit2,
    isEnabled: isWorkspaceOpen,
    run: () => openDialog('sources'),
  },
  {
    id: 'view.drift',
    title: 'Show drift',
    group: 'View',
    icon: GitCompareArrows,
    isEnabled: isWorkspaceOpen,
    run: openDrift,
  },
  {
    id: 'go.workspaces',
    title: 'Go to workspaces',
    group: 'Go to',
    icon: LayoutGrid,
    isEnabled: () => isElsewhere(),
    run: () => navigate(orgPath(currentLocation().org)),
  },
  {
    id: 'go.people',
    title: 'Go to people, teams and roles',
    group: 'Go to',
    icon: Users,
    isEnabled: () => isElsewhere('people'),
    run: () => navigate(orgPath(currentLocation().org, 'people')),
  },
  {
    id: 'go.kinds',
    title: 'Go to kinds of components',
    group: 'Go to',
    icon: Shapes,
    isEnabled: () => currentLocation().org !== '',
    run: () => navigate(orgPath(currentLocation().org, 'settings', 'kinds')),
  },
  {
    id: 'help.palette',
    title: 'Search or run a command',
    group: 'Help',
    keys: ['Mod+K'],
    whileTyping: true,
    icon: Command,
    run: () => openDialog(useDialogs.getState().open === 'palette' ? null : 'palette'),
  },
  {
    id: 'help.shortcuts',
    title: 'Show keyboard shortcuts',
    group: 'Help',
    keys: ['?'],
    icon: CircleHelp,
    run: () => openDialog('shortcuts'),
  },
];
