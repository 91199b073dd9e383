// @vitest-environment jsdom
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { allActions, isEnabled, isListed } from '@/actions';
import { actionShortcuts, actionTitle } from '@/actions/action';
import { openDialog } from '@/actions/dialogs';
import { formatShortcut } from '@/actions/shortcuts';
import { sample } from '@/core/model/testing';
import { type PlaybackControls, usePlayback } from '@/map/state/playback';
import { type RecordingControls, useRecording } from '@/map/state/recording';
import { type Camera, setSelection, useView } from '@/map/state/view';
import { setServerRows, useWorkspace } from '@/workspace/store';
import { KeyboardShortcuts } from './KeyboardShortcuts';

// The module uses constructed style sheets, which jsdom does not support.
vi.mock('@/ui/Diagram', () => ({ diagramElement: () => null }));

/** Shortcuts that several enabled actions may share. During playback, the player handles keys before actions. */
const SHARED = [
  'ArrowLeft: map.nudge.left, process.previous',
  'ArrowRight: map.nudge.right, process.next',
  'Escape: map.clearSelection, process.exit',
];

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
});

afterEach(() => {
  useView.setState({ camera: null });
  usePlayback.setState({ controls: null });
  useRecording.setState({ controls: null });
  setSelection([]);
});

/** Opens a workspace with the given screen. */
function open(screen: '' | 'table' | 'processes' | 'history', selected: readonly string[] = []): void {
  history.replaceState(null, '', `/o/engines/w/w${screen && `/${screen}`}`);
  useWorkspace.setState({ workspaceId: 'w' });
  const components = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, x: at * 300, y: 0 }));
  setServerRows(
    sample({
      components,
      relationships: [
        ['a', 'contains', 'b'],
        ['a', 'calls', 'c'],
      ],
    }),
  );
  useWorkspace.setState({ done: [{ id: '1', label: 'One' }], undone: [{ id: '2', label: 'Two' }] });
  useView.setState({ camera: screen ? null : ({} as Camera) });
  setSelection(selected);
}

/** Shortcuts with more than one enabled action. */
function conflictingShortcuts(): string[] {
  const byKeys = new Map<string, string[]>();
  for (const action of allActions().filter(isEnabled)) {
    for (const keys of actionShortcuts(action)) byKeys.set(keys, [...(byKeys.get(keys) ?? []), action.id]);
  }
  return [...byKeys]
    .filter(([, ids]) => ids.length > 1)
    .map(([keys, ids]) => `${keys}: ${ids.sort().join(', ')}`)
    .sort();
}

/** IDs of the actions in the command palette. */
function listed(): string[] {
  return allActions()
    .filter(isListed)
    .map(({ id }) => id);
}

describe('the command palette', () => {
  it('lists no action that would do nothing', () => {
    open('');
    const useless =
      /nudge|resize|clearSelection|Neighbor|^map\.(delete|rename|connect|copy|cut|duplicate)|go\.map/;
    expect(listed().filter((id) => useless.test(id))).toEqual([]);
    expect(listed()).toContain(useView.getState().tool === 'hand' ? 'view.select' : 'view.hand');
    expect(listed()).not.toContain(`view.${useView.getState().tool}`);
    open('', ['a']);
    expect(listed()).toEqual(
      expect.arrayContaining(['map.clearSelection', 'map.addNeighbor.down', 'map.rename']),
    );
    expect(listed().filter((id) => /nudge|resize/.test(id))).toEqual([]);
  });

  it('lists no edits without edit access, and no analysis of past states', () => {
    open('', ['a', 'b']);
    const edits = ['map.add', 'map.delete', 'map.paste', 'arrange.left', 'map.group', 'arrange.layered'];
    expect(listed()).toEqual(expect.arrayContaining([...edits, 'impact.paths']));
    const { rows } = useWorkspace.getState();
    if (!rows) throw new Error('No workspace is open.');
    useWorkspace.setState({ rows: { ...rows, workspace: { ...rows.workspace, myRole: 'viewer' } } });
    expect(listed().filter((id) => edits.includes(id))).toEqual([]);
    expect(listed()).toEqual(expect.arrayContaining(['map.copy', 'map.clearSelection', 'impact.paths']));
    useWorkspace.setState({ past: {} as NonNullable<ReturnType<typeof useWorkspace.getState>['past']> });
    expect(listed()).not.toContain('impact.paths');
    useWorkspace.setState({ past: null });
  });
});

describe('the list of actions', () => {
  it('contains each action once, with a title', () => {
    const ids = allActions().map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(60);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    open('', ['a', 'b']);
    for (const action of allActions()) expect(actionTitle(action).trim(), action.id).not.toBe('');
  });

  it.each([
    ['nothing is selected', []],
    ['one is selected', ['a']],
    ['two are selected', ['a', 'b']],
    ['many are selected', ['a', 'b', 'c', 'd']],
  ])('has no conflicting shortcuts on the map when %s', (_, selected) => {
    open('', selected);
    expect(allActions().filter(isEnabled).length).toBeGreaterThan(20);
    expect(conflictingShortcuts()).toEqual([]);
    usePlayback.setState({ controls: {} as PlaybackControls });
    expect(conflictingShortcuts()).toEqual(SHARED);
    usePlayback.setState({ controls: null });
    // The recorder handles its keys before actions, too.
    useRecording.setState({ controls: {} as RecordingControls });
    for (const conflict of conflictingShortcuts())
      expect(conflict).toMatch(/^(Backspace|Escape|R): .*process\.(undoStep|cancelRecording|return)/);
  });

  it.each(['table', 'processes', 'history'] as const)('has no conflicting shortcuts in the %s', (screen) => {
    open(screen, ['a']);
    expect(conflictingShortcuts()).toEqual([]);
    expect(
      allActions()
        .find(({ id }) => id === 'map.delete')
        ?.isEnabled?.(),
    ).toBe(false);
  });

  it('is shown in the help with all shortcuts', async () => {
    open('', ['a']);
    const place = document.body.appendChild(document.createElement('div'));
    const root = createRoot(place);
    root.render(createElement(KeyboardShortcuts));
    openDialog('shortcuts');
    await vi.waitFor(() => expect(document.querySelector('[role="dialog"]')).not.toBeNull());
    const lines = [...document.querySelectorAll('[role="dialog"] dl > div')].map((line) => [
      line.querySelector('dt')?.textContent,
      ...[...line.querySelectorAll('kbd')].map((key) => key.textContent),
    ]);
    for (const action of allActions().filter((action) => actionShortcuts(action).length > 0)) {
      expect(lines).toContainEqual([
        actionTitle(action),
        ...actionShortcuts(action).map((keys) => formatShortcut(keys)),
      ]);
    }
    root.unmount();
  });
});
