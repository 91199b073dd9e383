/** The entries of the command palette. */
import { LayoutGrid, User, Users, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { allActions, isEnabled } from '@/actions';
import { keysOf, titleOf } from '@/actions/action';
import { showKeys } from '@/actions/keys';
import { perform } from '@/actions/perform';
import { inPlan, place, planPath, showComponent } from '@/actions/place';
import type { Person, Team, Workspace } from '@/api/generated';
import { orgPath, workspacePath } from '@/app/paths';
import { entriesOf } from '@/core/find/find';
import { type Findable, prepared } from '@/core/find/fuzzy';
import { typeLook } from '@/core/model/lens';
import type { Model } from '@/core/model/model';
import { TypeIcon } from './TypeIcon';

export interface Entry {
  key: string;
  title: string;
  hint: ReactNode;
  icon: ReactNode;
  group: string;
  findable: Findable;
  run: () => void;
}

/** All enabled actions except the one that opens the palette. */
export function actionEntries(): Entry[] {
  return allActions()
    .filter((action) => action.id !== 'help.palette' && isEnabled(action))
    .map((action) => {
      const { icon: Icon } = action;
      const [keys] = keysOf(action);
      const title = titleOf(action);
      return {
        key: `action/${action.id}`,
        title,
        hint: keys && <kbd>{showKeys(keys)}</kbd>,
        icon: Icon && <Icon size={16} />,
        group: action.group,
        findable: prepared({ title, words: [action.group] }),
        run: () => perform(action),
      };
    });
}

export function componentEntries(model: Model): Entry[] {
  if (!inPlan()) return [];
  const findables = entriesOf(model);
  return [...model.rows.component.values()].map((component) => {
    const { name, icon } = typeLook(model, component);
    return {
      key: `component/${model.rows.workspace.id}/${component.id}`,
      title: component.name,
      hint: name,
      icon: <TypeIcon icon={icon} />,
      group: 'Components',
      findable: findables.get(component.id) ?? { title: '' },
      run: () => showComponent(component.id),
    };
  });
}

export function processEntries(model: Model): Entry[] {
  if (!inPlan()) return [];
  return [...model.rows.process.values()].map(({ id, name, description }) => ({
    key: `process/${model.rows.workspace.id}/${id}`,
    title: name,
    hint: 'Process',
    icon: <Workflow size={16} />,
    group: 'Processes',
    findable: prepared({
      title: name,
      words: [id, 'process'],
      ...(description ? { text: description } : {}),
    }),
    run: () => navigate(planPath('processes', id)),
  }));
}

export function directoryEntries(
  people: readonly Person[],
  teams: readonly Team[],
  workspaces: readonly Workspace[],
): Entry[] {
  const { org } = place();
  if (!org) return [];
  const entry = (
    kind: string,
    hint: string,
    icon: ReactNode,
    id: string,
    title: string,
    path: string,
  ): Entry => ({
    key: `${kind}/${id}`,
    title,
    hint,
    icon,
    group: hint,
    findable: prepared({ title, words: [id, hint] }),
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
  ].map((one) => ({ ...one, group: one.key.startsWith('workspace/') ? 'Workspaces' : 'People and teams' }));
}
