/** Edits of views: create, copy, rename, order, rules, layout and members. */
import { updateRow } from '@/core/model/edits';
import type { Point } from '@/core/scene/geometry';
import type { Move, Operation } from '@/core/sync/operation';
import type { View, ViewDefinition, ViewLayout } from '@/core/sync/viewRows';
import { viewRowId } from '@/core/sync/viewRows';
import { formatCount } from '@/core/text';
import { lastPosition, movedPositions, newViewId, updateView } from '@/core/views/edits';
import { excludeComponents, includeComponents } from '@/core/views/membership';
import { showError, showToast } from '@/ui/Toasts';
import { currentModel } from '@/workspace/model';
import { changePersonalViews } from '@/workspace/personalUndo';
import {
  createPersonalView,
  deletePersonalView,
  loadPersonalView,
  type PersonalFields,
  type PersonalView,
  usePersonalViews,
} from '@/workspace/personalViews';
import { useWorkspace, edit as write } from '@/workspace/store';
import { undoEdit } from '@/workspace/undo';
import { addressOf, type OpenView, openView, parseAddress, viewAt } from '../state/openView';
import { viewContents } from '../state/viewContents';
import { membersWith } from '../state/viewMembers';
import { goToView } from '../state/viewNavigation';
import { checkCanEdit, short } from './edits';

/** A view that does not exist yet. */
export interface NewView {
  name: string;
  description?: string;
  isPersonal: boolean;
  definition: ViewDefinition;
  layout: ViewLayout;
  /** The positions of an own layout. */
  positions?: ReadonlyMap<string, Point>;
}

function sharedViews(): ReadonlyMap<string, View> {
  return useWorkspace.getState().rows?.view ?? new Map();
}

/** Creates a view and returns its address; undefined if it was not created. */
export async function createView(view: NewView): Promise<string | undefined> {
  const { name, isPersonal, definition, layout, description, positions = new Map() } = view;
  const fields = { name: name.trim(), definition, layout, ...(description ? { description } : {}) };
  if (isPersonal) {
    const places = [...positions].map(([componentId, { x, y }]) => ({ componentId, x, y }));
    return addressOf((await createPersonalView({ ...fields, places })).id, true);
  }
  if (!checkCanEdit()) return undefined;
  const id = newViewId(name, (taken) => sharedViews().has(taken));
  const moves = [...positions].map(([componentId, { x, y }]) => ({ id: componentId, x, y }));
  write(`Create view “${short(name)}”`, [
    {
      op: 'create',
      kind: 'view',
      id,
      fields: { ...fields, position: lastPosition(sharedViews().values()) },
    },
    ...(moves.length > 0 ? [{ op: 'move' as const, viewId: id, moves }] : []),
  ]);
  return id;
}

/** Changes a view by its address. */
export function changeView(address: string, label: string, fields: Partial<View>): void {
  const { id, isPersonal } = parseAddress(address);
  const view = viewAt(address);
  if (!view) return;
  if (isPersonal) changePersonalViews(label, [{ viewId: id, fields: fields as PersonalFields }]);
  else if (checkCanEdit()) {
    const operations = updateView(view, fields);
    if (operations.length > 0) write(label, operations);
  }
}

export function renameView(address: string, name: string): void {
  const view = viewAt(address);
  if (view && name.trim() !== '' && name.trim() !== view.name)
    changeView(address, `Rename view “${short(view.name)}”`, { name: name.trim() });
}

/** Copies a view with its positions. Personal views are copied to personal ones. Returns the address of the copy. */
export async function copyView(address: string): Promise<string | undefined> {
  const { id, isPersonal } = parseAddress(address);
  if (isPersonal) await loadPersonalView(id);
  const view = viewAt(address);
  const { rows } = useWorkspace.getState();
  if (!view || !rows) return undefined;
  const name = `Copy of ${view.name}`.slice(0, 200);
  if (isPersonal) {
    const { definition, layout, description, places = [], lines = [] } = view as PersonalView;
    const text = description ? { description } : {};
    const copy = await createPersonalView({ name, definition, layout, ...text, places, lines });
    return addressOf(copy.id, true);
  }
  if (!checkCanEdit()) return undefined;
  const copyId = newViewId(name, (taken) => rows.view.has(taken));
  const { description, definition, layout } = view;
  const text = description ? { description } : {};
  const moves = [...rows['view-place'].values()].flatMap(({ viewId, componentId, x, y }) =>
    viewId === id ? [{ id: componentId, x, y }] : [],
  );
  const lines = [...rows['view-line'].values()].flatMap(({ viewId, relationshipId, line }): Operation[] =>
    viewId === id
      ? [{ op: 'put', kind: 'view-line', id: viewRowId(copyId, relationshipId), fields: { line } }]
      : [],
  );
  write(`Copy view “${short(view.name)}”`, [
    {
      op: 'create',
      kind: 'view',
      id: copyId,
      fields: { name, definition, layout, ...text, position: lastPosition(rows.view.values()) },
    },
    ...(moves.length > 0 ? [{ op: 'move' as const, viewId: copyId, moves }] : []),
    ...lines,
  ]);
  return copyId;
}

/** Deletes a view. The components stay. Leaves the view if it is open. */
export async function deleteView(address: string): Promise<void> {
  const { id, isPersonal } = parseAddress(address);
  const view = viewAt(address);
  if (!view) return;
  if (isPersonal) {
    await loadPersonalView(id);
    const {
      name,
      description,
      definition,
      layout,
      places = [],
      lines = [],
    } = viewAt(address) as PersonalView;
    await deletePersonalView(id);
    if (openAddress() === address) goToView(null);
    const fields = { name, definition, layout, places, lines, ...(description ? { description } : {}) };
    showToast(`View “${short(name)}” deleted`, {
      label: 'Undo',
      run: () => void createPersonalView(fields).catch(showError),
    });
    return;
  }
  if (!checkCanEdit()) return;
  const wasOpen = openAddress() === address;
  if (wasOpen) goToView(null);
  const editId = write(`Delete view “${short(view.name)}”`, [
    { op: 'delete', kind: 'view', id, base: view.revision, fields: { name: view.name } },
  ]);
  showToast(`View “${short(view.name)}” deleted. Its components are still on the map.`, {
    label: 'Undo',
    run: () => void undoEdit(editId).catch(showError),
  });
}

function openAddress(): string | undefined {
  return openView()?.address;
}

/** Moves a view to an index of its list, without the view itself. */
export function reorderView(address: string, index: number): void {
  const { id, isPersonal } = parseAddress(address);
  const all = isPersonal ? usePersonalViews.getState().views : sharedViews();
  const positions = movedPositions(all.values(), id, index);
  if (positions.size === 0) return;
  const label = `Move view “${short(all.get(id)?.name ?? id)}”`;
  if (isPersonal) {
    const changes = [...positions].map(([viewId, position]) => ({ viewId, fields: { position } }));
    changePersonalViews(label, changes);
    return;
  }
  if (!checkCanEdit()) return;
  const operations = [...positions].flatMap(([viewId, position]) => {
    const view = sharedViews().get(viewId);
    return view ? updateView(view, { position }) : [];
  });
  write(label, operations);
}

/** Switches between the positions of the map and own ones. Own ones begin with the positions that are shown. */
export function setViewLayout(layout: ViewLayout): void {
  const open = openView();
  const contents = viewContents();
  if (!open || !contents || open.view.layout === layout) return;
  const { view, isPersonal, address } = open;
  const what = layout === 'own' ? 'Use own layout' : 'Use layout of the map';
  const label = `${what} in view “${short(view.name)}”`;
  const stored = isPersonal
    ? new Set((view as PersonalView).places?.map(({ componentId }) => componentId))
    : storedPlaces(view.id);
  const moves =
    layout === 'own' && stored.size === 0
      ? [...contents.shown.component.values()].map(({ id, x, y }) => ({ id, x, y }))
      : [];
  if (isPersonal) {
    const places = moves.map(({ id, x, y }) => ({ componentId: id, x, y }));
    const fields = { layout, ...(places.length > 0 ? { places } : {}) };
    changePersonalViews(label, [{ viewId: view.id, fields }]);
    return;
  }
  if (!checkCanEdit()) return;
  write(label, [
    ...updateView(viewAt(address) ?? view, { layout }),
    ...(moves.length > 0 ? [{ op: 'move' as const, viewId: view.id, moves }] : []),
  ]);
}

function storedPlaces(viewId: string): ReadonlySet<string> {
  const rows = useWorkspace.getState().rows?.['view-place'].values() ?? [];
  return new Set([...rows].flatMap((row) => (row.viewId === viewId ? [row.componentId] : [])));
}

/** Stores the positions of new members, which are no longer marked as new. */
export function acceptNewMembers(ids?: readonly string[]): void {
  const open = openView();
  const contents = viewContents();
  if (!open?.layout || !contents) return;
  const { view, layout, isPersonal } = open;
  const accepted = [...contents.unplaced].filter(([id]) => ids?.includes(id) ?? true);
  if (accepted.length === 0) return;
  const label = `Accept ${formatCount(accepted.length, 'new component')} in view “${short(view.name)}”`;
  if (isPersonal) {
    const places = [...layout.places, ...accepted].map(([componentId, at]) => ({ componentId, ...at }));
    changePersonalViews(label, [{ viewId: view.id, fields: { places } }]);
    return;
  }
  if (!checkCanEdit()) return;
  const moves = accepted.map(([id, { x, y }]) => ({ id, x, y }));
  write(label, [{ op: 'move', viewId: view.id, moves }]);
}

/** Adds components to the open view; if it has an own layout, optionally at a position. */
export function addToView(ids: readonly string[], at?: Point): void {
  changeMembers(ids, 'Add', includeComponents, at);
}

/** Removes components from the open view. They stay in the workspace. */
export function removeFromView(ids: readonly string[]): void {
  changeMembers(ids, 'Remove', excludeComponents);
}

function changeMembers(
  ids: readonly string[],
  verb: 'Add' | 'Remove',
  change: typeof includeComponents,
  at?: Point,
): void {
  const open = openView();
  const model = currentModel();
  if (!open || !model || ids.length === 0) return;
  const { view, address } = open;
  const resolve = membersWith(model);
  const definition = change(view.definition, ids, resolve);
  const [first = ''] = ids;
  const name = `“${short(model.rows.component.get(first)?.name ?? first)}”`;
  const what = ids.length === 1 ? name : formatCount(ids.length, 'component');
  const to = verb === 'Add' ? 'to' : 'from';
  const label = `${verb} ${what} ${to} view “${short(view.name)}”`;
  if (at && open.layout) changeWithPlace(open, label, definition, { id: first, ...at });
  else changeView(address, label, { definition });
  const members = resolve(definition);
  const left = ids.filter((id) => members.has(id) !== (verb === 'Add'));
  if (left.length > 0) {
    showToast(
      `A rule of this view excludes ${ids.length === 1 ? name : formatCount(left.length, 'component')}. Edit the rules to add it.`,
    );
  }
}

/** Changes the rules and the position of a component in one undo step. */
function changeWithPlace(
  { view, isPersonal, layout }: OpenView,
  label: string,
  definition: ViewDefinition,
  { id, x, y }: Move,
): void {
  if (isPersonal) {
    const others = [...(layout?.places ?? [])].filter(([componentId]) => componentId !== id);
    const places = [
      ...others.map(([componentId, at]) => ({ componentId, ...at })),
      { componentId: id, x, y },
    ];
    changePersonalViews(label, [{ viewId: view.id, fields: { definition, places } }]);
  } else if (checkCanEdit()) {
    write(label, [
      ...updateView(view, { definition }),
      { op: 'move', viewId: view.id, moves: [{ id, x, y }] },
    ]);
  }
}

/** Sets the view that a component opens; null for none. */
export function setOpens(componentId: string, viewId: string | null): void {
  const { rows } = useWorkspace.getState();
  const component = rows?.component.get(componentId);
  if (!rows || !component || !checkCanEdit()) return;
  const operations = updateRow(rows, 'component', componentId, { opens: viewId });
  if (operations.length > 0) write(`Change view of “${short(component.name)}”`, operations);
}
