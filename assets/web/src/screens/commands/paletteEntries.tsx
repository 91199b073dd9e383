/** The entries of the command palette. */
import { Gavel, Layers, LayoutGrid, Presentation, StickyNote, User, Users, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { allActions, isListed, sortByGroup } from '@/actions';
import { type Action, actionShortcuts, actionTitle } from '@/actions/action';
import { runAction } from '@/actions/runAction';
import { formatShortcut } from '@/actions/shortcuts';
import type { Catalogue, Person, SearchResult, Team, Workspace } from '@/api/generated';
import { STATUS_NAMES } from '@/core/decisions/decisions';
import { typeAppearance } from '@/core/model/lens';
import { catalogueEntry, type Model } from '@/core/model/model';
import { prepareEntry, type Searchable } from '@/core/search/fuzzy';
import { searchEntries } from '@/core/search/search';
import { inOrder, type View } from '@/core/sync/viewRows';
import { currentLocation, isWorkspaceOpen, openWorkspacePath, showComponent } from '@/map/state/location';
import { addressOf } from '@/map/state/openView';
import { showTour } from '@/map/state/tourUrl';
import { goToView } from '@/map/state/viewNavigation';
import { navigate } from '@/routing/location';
import { orgPath, workspacePath } from '@/routing/paths';
import { TypeIcon } from '@/ui/TypeIcon';

export interface PaletteEntry {
  key: string;
  title: string;
  hint: ReactNode;
  icon: ReactNode;
  group: string;
  findable: Searchable;
  run: () => void;
}

/** The commands of the page and all useful actions, except the one that opens the palette. */
export function actionEntries(pageCommands: readonly Action[]): PaletteEntry[] {
  return sortByGroup([...pageCommands, ...allActions()])
    .filter((action) => action.id !== 'help.palette' && isListed(action))
    .map((action) => {
      const { icon: Icon } = action;
      const [keys] = actionShortcuts(action);
      const title = actionTitle(action);
      return {
        key: `action/${action.id}`,
        title,
        hint: keys && <kbd>{formatShortcut(keys)}</kbd>,
        icon: Icon && <Icon size={16} />,
        group: action.group,
        findable: prepareEntry({ title, words: [action.group] }),
        run: () => runAction(action),
      };
    });
}

export function componentEntries(model: Model): PaletteEntry[] {
  if (!isWorkspaceOpen()) return [];
  const searchables = searchEntries(model);
  return [...model.rows.component.values()].map((component) => {
    const { name, icon } = typeAppearance(model, component);
    return {
      key: `component/${model.rows.workspace.id}/${component.id}`,
      title: component.name,
      hint: name,
      icon: <TypeIcon icon={icon} />,
      group: 'Components',
      findable: searchables.get(component.id) ?? { title: '' },
      run: () => showComponent(component.id),
    };
  });
}

export function processEntries(model: Model): PaletteEntry[] {
  if (!isWorkspaceOpen()) return [];
  return [...model.rows.process.values()].map(({ id, name, description }) => ({
    key: `process/${model.rows.workspace.id}/${id}`,
    title: name,
    hint: 'Process',
    icon: <Workflow size={16} />,
    group: 'Processes',
    findable: prepareEntry({
      title: name,
      words: [id, 'process'],
      ...(description ? { text: description } : {}),
    }),
    run: () => navigate(openWorkspacePath('processes', id)),
  }));
}

/** The decisions of the open workspace. */
export function decisionEntries(model: Model): PaletteEntry[] {
  if (!isWorkspaceOpen()) return [];
  return [...model.rows.decision.values()].map(({ id, number, title, status }) => ({
    key: `decision/${model.rows.workspace.id}/${id}`,
    title,
    hint: `ADR ${number} · ${STATUS_NAMES[status]}`,
    icon: <Gavel size={16} />,
    group: 'Decisions',
    findable: prepareEntry({ title, words: [id, 'decision', 'adr', String(number)] }),
    run: () => navigate(openWorkspacePath('decisions', id)),
  }));
}

/** The views of the open workspace. */
export function viewEntries(model: Model, personal: Iterable<View>): PaletteEntry[] {
  if (!isWorkspaceOpen()) return [];
  const entry = (view: View, isPersonal: boolean): PaletteEntry => ({
    key: `view/${model.rows.workspace.id}/${addressOf(view.id, isPersonal)}`,
    title: view.name,
    hint: isPersonal ? 'My view' : 'View',
    icon: isPersonal ? <User size={16} /> : <Layers size={16} />,
    group: 'Views',
    findable: prepareEntry({
      title: view.name,
      words: [view.id, 'view'],
      ...(view.description ? { text: view.description } : {}),
    }),
    run: () => goToView(addressOf(view.id, isPersonal)),
  });
  return [
    ...inOrder(model.rows.view.values()).map((view) => entry(view, false)),
    ...inOrder(personal).map((view) => entry(view, true)),
  ];
}

/** The tours of the open workspace. */
export function tourEntries(model: Model): PaletteEntry[] {
  if (!isWorkspaceOpen()) return [];
  return inOrder(model.rows.tour.values()).flatMap(({ id, name, stops }) =>
    stops.length === 0
      ? []
      : {
          key: `tour/${model.rows.workspace.id}/${id}`,
          title: `Present ${name}`,
          hint: 'Tour',
          icon: <Presentation size={16} />,
          group: 'Views',
          findable: prepareEntry({ title: name, words: [id, 'tour', 'present'] }),
          run: () => showTour(id),
        },
  );
}

export function directoryEntries(
  people: readonly Person[],
  teams: readonly Team[],
  workspaces: readonly Workspace[],
): PaletteEntry[] {
  const { org } = currentLocation();
  if (!org) return [];
  const entry = (
    kind: string,
    hint: string,
    icon: ReactNode,
    id: string,
    title: string,
    path: string,
  ): PaletteEntry => ({
    key: `${kind}/${id}`,
    title,
    hint,
    icon,
    group: hint,
    findable: prepareEntry({ title, words: [id, hint] }),
    run: () => navigate(path),
  });
  return [
    ...people.map(({ id, name, title }) =>
      entry('person', title || 'Person', <User size={16} />, id, name, orgPath(org, 'people', id)),
    ),
    ...teams.map(({ id, name }) =>
      entry('team', 'Team', <Users size={16} />, id, name, orgPath(org, 'teams', id)),
    ),
    ...workspaces.map(({ id, name }) =>
      entry('workspace', 'Workspace', <LayoutGrid size={16} />, id, name, workspacePath(org, id)),
    ),
  ].map((entry) => ({
    ...entry,
    group: entry.key.startsWith('workspace/') ? 'Workspaces' : 'People and teams',
  }));
}

/** Components, processes, notes and decisions in other workspaces, which the server found. */
export function remoteEntries(
  results: readonly SearchResult[],
  catalogue: Catalogue | undefined,
  exceptWorkspaceId: string | undefined,
): PaletteEntry[] {
  return results.map((result) => ({
    key: `${result.kind}/${result.workspaceId}/${result.id}`,
    title: result.name || result.id,
    hint: remoteHint(result),
    icon: remoteIcon(result, catalogue),
    group: exceptWorkspaceId === undefined ? 'In workspaces' : 'In other workspaces',
    findable: { title: '' },
    run: () => navigate(result.path),
  }));
}

/** Texts that are too long to show next to the name are found, but not shown. */
const SHOWN_FIELDS: readonly string[] = ['technology', 'tag', 'owner'];

function remoteHint({ field, matched, workspaceName }: SearchResult): string {
  return matched && SHOWN_FIELDS.includes(field) ? `${matched} · ${workspaceName}` : workspaceName;
}

function remoteIcon({ kind, typeId }: SearchResult, catalogue: Catalogue | undefined): ReactNode {
  if (kind === 'process') return <Workflow size={16} />;
  if (kind === 'note') return <StickyNote size={16} />;
  if (kind === 'decision') return <Gavel size={16} />;
  return <TypeIcon icon={(catalogue && catalogueEntry(catalogue.componentTypes, typeId ?? '').icon) ?? ''} />;
}
