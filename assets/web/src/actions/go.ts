/** Navigation between screens, the command palette and the list of shortcuts. */
import {
  CircleHelp,
  Command,
  History,
  LayoutGrid,
  Map as MapIcon,
  Table2,
  Users,
  Workflow,
} from 'lucide-react';
import { navigate } from 'wouter/use-browser-location';
import { orgPath } from '@/app/paths';
import type { Action } from './action';
import { inPlan, place, planPath } from './place';
import { openWindow, useWindows } from './windows';

const SCREENS = [
  { rest: '', name: 'map', icon: MapIcon },
  { rest: 'table', name: 'table', icon: Table2 },
  { rest: 'processes', name: 'processes', icon: Workflow },
  { rest: 'history', name: 'history', icon: History },
] as const;

export const goActions: readonly Action[] = [
  ...SCREENS.map(
    ({ rest, name, icon }): Action => ({
      id: `go.${rest || 'map'}`,
      title: `Go to ${name}`,
      group: 'Go to',
      icon,
      isEnabled: () => inPlan() && place().rest !== rest,
      run: () => navigate(rest ? planPath(rest) : planPath()),
    }),
  ),
  {
    id: 'go.workspaces',
    title: 'Go to workspaces',
    group: 'Go to',
    icon: LayoutGrid,
    isEnabled: () => place().org !== '',
    run: () => navigate(orgPath(place().org)),
  },
  {
    id: 'go.people',
    title: 'Go to people, teams and roles',
    group: 'Go to',
    icon: Users,
    isEnabled: () => place().org !== '',
    run: () => navigate(orgPath(place().org, 'people')),
  },
  {
    id: 'help.palette',
    title: 'Search or run a command',
    group: 'Help',
    keys: ['Mod+K'],
    whileTyping: true,
    icon: Command,
    run: () => openWindow(useWindows.getState().open === 'palette' ? null : 'palette'),
  },
  {
    id: 'help.keys',
    title: 'Show keyboard shortcuts',
    group: 'Help',
    keys: ['?'],
    icon: CircleHelp,
    run: () => openWindow('keys'),
  },
];
