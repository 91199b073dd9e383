/** The views that only this user sees. They are not part of the workspace: no history, no undo, one writer. */
import { create } from 'zustand';
import { ApiError } from '@/api/errors';
import type { RelationshipLine } from '@/api/generated';
import { http, send } from '@/api/http';
import type { View } from '@/core/sync/viewRows';
import { showError } from '@/ui/Toasts';

/** The position of a component in a personal view. */
export interface PersonalPlace {
  componentId: string;
  x: number;
  y: number;
}

export interface PersonalLine {
  relationshipId: string;
  line: RelationshipLine;
}

/** A personal view. Positions and lines are absent until it has been opened. */
export interface PersonalView extends View {
  places?: readonly PersonalPlace[];
  lines?: readonly PersonalLine[];
}

/** The writable fields. */
export type PersonalFields = Partial<
  Pick<PersonalView, 'name' | 'description' | 'position' | 'definition' | 'layout' | 'places' | 'lines'>
>;

interface PersonalViews {
  workspaceId: string;
  status: 'loading' | 'ready' | 'failed';
  views: ReadonlyMap<string, PersonalView>;
}

const NONE: PersonalViews = { workspaceId: '', status: 'loading', views: new Map() };

export const usePersonalViews = create<PersonalViews>()(() => NONE);

function rootOf(workspaceId: string): string {
  return `/api/workspaces/${encodeURIComponent(workspaceId)}/views/personal`;
}

const urlOf = (id: string) => `${rootOf(usePersonalViews.getState().workspaceId)}/${encodeURIComponent(id)}`;

/** Loads the views of a workspace, without positions. */
export async function loadPersonalViews(workspaceId: string): Promise<void> {
  if (usePersonalViews.getState().workspaceId !== workspaceId)
    usePersonalViews.setState({ ...NONE, workspaceId });
  const isCurrent = () => usePersonalViews.getState().workspaceId === workspaceId;
  try {
    const { views } = await http<{ views: PersonalView[] }>(rootOf(workspaceId));
    if (!isCurrent()) return;
    const before = usePersonalViews.getState().views;
    const loaded = views.map((view): [string, PersonalView] => {
      const known = before.get(view.id);
      return [view.id, known?.revision === view.revision ? known : view];
    });
    usePersonalViews.setState({ status: 'ready', views: new Map(loaded) });
  } catch {
    // The list says that it is missing. The rest of the workspace works without it.
    if (isCurrent()) usePersonalViews.setState({ status: 'failed' });
  }
}

function put(view: PersonalView): void {
  usePersonalViews.setState(({ views }) => ({ views: new Map(views).set(view.id, view) }));
}

/** Loads the positions and lines of a view. */
export async function loadPersonalView(id: string): Promise<void> {
  const { workspaceId, views } = usePersonalViews.getState();
  if (views.get(id)?.places) return;
  const { view } = await http<{ view: PersonalView }>(urlOf(id));
  if (usePersonalViews.getState().workspaceId === workspaceId) put(view);
}

export async function createPersonalView(fields: PersonalFields & Pick<View, 'name'>): Promise<PersonalView> {
  const { workspaceId } = usePersonalViews.getState();
  const body = JSON.stringify(fields);
  const headers = { 'Content-Type': 'application/json' };
  const { view } = await http<{ view: PersonalView }>(rootOf(workspaceId), { method: 'POST', headers, body });
  put(view);
  return view;
}

export async function deletePersonalView(id: string): Promise<void> {
  await send(urlOf(id), { method: 'DELETE' });
  usePersonalViews.setState(({ views }) => {
    const left = new Map(views);
    left.delete(id);
    return { views: left };
  });
}

/** The last request of each view. Requests of a view are sent one after another. */
const pending = new Map<string, Promise<void>>();

/** Changes a view: at once in this window, then on the server. If that fails, shows the stored state again. */
export function updatePersonalView(id: string, fields: PersonalFields): void {
  const view = usePersonalViews.getState().views.get(id);
  if (!view) return;
  put({ ...view, ...fields });
  const url = urlOf(id);
  const save = async () => {
    try {
      const { view: saved } = await http<{ view: PersonalView }>(url, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(fields),
      });
      const now = usePersonalViews.getState().views.get(id);
      // Later changes of this window are still being sent.
      if (now && pending.get(url) === task) put({ ...now, ...saved });
    } catch (error) {
      showError(error);
      if (error instanceof ApiError && error.status === 404) return;
      await http<{ view: PersonalView }>(url).then(
        ({ view: stored }) => put(stored),
        () => {},
      );
    }
  };
  const task: Promise<void> = (pending.get(url) ?? Promise.resolve()).then(save).finally(() => {
    if (pending.get(url) === task) pending.delete(url);
  });
  pending.set(url, task);
}
