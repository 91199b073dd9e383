/** The state of a grid: focus, visible rows, editing and keyboard handling. */
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { targetCell } from './gridNavigation';
import type { GridChoice, GridColumn, GridProps } from './gridTypes';

export const ROW_HEIGHT = 36;
/** The width of the checkbox column. */
export const CHECK_WIDTH = 40;
/** The row index of the header. */
export const HEADER = -1;
/** Rows rendered above and below the visible ones. */
const OVERSCAN_ROWS = 8;

/** A cell in edit mode. */
export interface Editing {
  key: string;
  column: string;
  text: string;
  /** The choices, if the column has a list of them. */
  choices: readonly GridChoice[] | undefined;
  /** Whether editing began by typing, which replaces the previous text. */
  replaces: boolean;
  problem: string | undefined;
}

function choicesOf<Row>({ editor }: GridColumn<Row>, row: Row): readonly GridChoice[] | undefined {
  if (typeof editor === 'function') return editor(row);
  return typeof editor === 'object' ? editor : undefined;
}

/** Callbacks of cells, stable while the grid is mounted. */
export interface GridHandlers {
  readonly mayEdit: boolean;
  activate: (at: number, column: number) => void;
  begin: (at: number, column: number) => void;
  toggle: (key: string, extend: boolean) => void;
  type: (text: string) => void;
  commit: (then: 'stay' | 'before' | 'after' | 'leave') => void;
  cancel: () => void;
}

interface Active {
  key: string;
  at: number;
  column: number;
}

export function useGrid<Row>(props: GridProps<Row>, id: string) {
  const { keyOf, columns, selected, onSelect } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ first: 0, count: 30 });
  const [place, setPlace] = useState<Active>({ key: '', at: 0, column: 1 });
  const [editing, setEditing] = useState<Editing | null>(null);
  /** The edited row, and the order of rows, when editing began. */
  const [editStart, setEditStart] = useState<{ row: Row; order: readonly string[] } | null>(null);
  const anchor = useRef('');
  const wantsFocus = useRef(false);
  const hasFocus = useRef(false);

  const rows = useMemo(
    () => (editStart ? inOrder(props.rows, editStart.order, editStart.row, keyOf) : props.rows),
    [props.rows, editStart, keyOf],
  );
  const active = useMemo(() => current(place, rows, keyOf, columns.length), [place, rows, keyOf, columns]);
  const inSight = useMemo(() => {
    const first = Math.max(0, sight.first - OVERSCAN_ROWS);
    const shown = rows
      .slice(first, sight.first + sight.count + OVERSCAN_ROWS)
      .map((row, at) => ({ row, at: first + at }));
    // Always render the focused cell to keep the focus.
    const row = rows[active.at];
    if (row !== undefined && !shown.some(({ at }) => at === active.at))
      shown.push({ row: row, at: active.at });
    return shown;
  }, [rows, sight, active.at]);

  const cell = useCallback(
    (at: number, column: number) => document.getElementById(`${id}-${at}-${column}`),
    [id],
  );

  const look = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    const first = Math.floor(element.scrollTop / ROW_HEIGHT);
    const count = Math.ceil(element.clientHeight / ROW_HEIGHT);
    setSight((now) => (now.first === first && now.count === count ? now : { first, count }));
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [look]);

  // Run after every render, since any render can remove the focused cell.
  useEffect(() => {
    const isLost = hasFocus.current && document.activeElement === document.body && !editing;
    if (!wantsFocus.current && !isLost) return;
    const cellElement = cell(active.at, active.column);
    if (!cellElement) return;
    if (wantsFocus.current) cellElement.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    wantsFocus.current = false;
    cellElement.focus({ preventScroll: true });
  });

  const goTo = (at: number, column: number) => {
    const row = rows[at];
    wantsFocus.current = true;
    setPlace({ key: row === undefined ? '' : keyOf(row), at, column });
  };

  const target = props.goTo;
  const askedAt = useMemo(
    () => (target === undefined ? -1 : rows.findIndex((row) => keyOf(row) === target)),
    [target, rows, keyOf],
  );
  const went = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (askedAt < 0 || went.current === target) return;
    went.current = target;
    wantsFocus.current = true;
    setPlace({ key: target ?? '', at: askedAt, column: 1 });
  }, [target, askedAt]);

  const startEditing = (at: number, column: number, typed?: string) => {
    const row = rows[at];
    const editor = columns[column - 1];
    if (row === undefined || !editor?.editor || !props.onEdit || editing) return;
    const choices = choicesOf(editor, row);
    const replaces = typed !== undefined && choices === undefined;
    const text = replaces ? typed : (editor.raw ?? editor.text)(row);
    setEditStart({ row, order: rows.map(keyOf) });
    setEditing({ key: keyOf(row), column: editor.id, text, choices, replaces, problem: undefined });
  };

  const end = () => {
    setEditing(null);
    setEditStart(null);
  };

  const commit = (then: 'stay' | 'before' | 'after' | 'leave') => {
    if (!editing || !editStart) return;
    const edited = columns.find((column) => column.id === editing.column);
    const before = edited ? (edited.raw ?? edited.text)(editStart.row) : '';
    const problem =
      editing.text === before ? undefined : props.onEdit?.(editStart.row, editing.column, editing.text);
    if (problem) return setEditing({ ...editing, problem });
    end();
    if (then === 'leave') return;
    const step = { stay: 0, before: -1, after: 1 }[then];
    goTo(active.at, Math.min(Math.max(active.column + step, 0), columns.length));
  };

  const toggle = (key: string, extend: boolean) => {
    const next = new Set(selected);
    if (extend && anchor.current) {
      for (const rowKey of between(rows.map(keyOf), anchor.current, key)) next.add(rowKey);
    } else if (!next.delete(key)) next.add(key);
    if (!extend) anchor.current = key;
    onSelect(next);
  };

  const toggleAll = () => {
    const keys = props.rows.map(keyOf);
    onSelect(keys.every((key) => selected.has(key)) ? new Set() : new Set(keys));
  };

  const act = {
    activate: (at: number, column: number) => {
      hasFocus.current = true;
      const row = rows[at];
      setPlace({ key: row === undefined ? '' : keyOf(row), at, column });
    },
    begin: startEditing,
    toggle,
    type: (text: string) => setEditing((now) => now && { ...now, text, problem: undefined }),
    commit,
    cancel: () => {
      end();
      goTo(active.at, active.column);
    },
  };
  // Rows are memoized, so their callbacks must be stable.
  const latest = useRef(act);
  latest.current = act;
  const mayEdit = Boolean(props.onEdit);
  const handlers = useMemo<GridHandlers>(
    () => ({
      mayEdit,
      activate: (at, column) => latest.current.activate(at, column),
      begin: (at, column) => latest.current.begin(at, column),
      toggle: (key, extend) => latest.current.toggle(key, extend),
      type: (text) => latest.current.type(text),
      commit: (then) => latest.current.commit(then),
      cancel: () => latest.current.cancel(),
    }),
    [mayEdit],
  );

  /** Moves the focus. With Shift, extends the selection. */
  const walk = (aim: { at: number; column: number }, isExtending: boolean) => {
    const target = rows[aim.at];
    if (isExtending && aim.column === active.column && target !== undefined) {
      anchor.current ||= active.key;
      onSelect(new Set(between(rows.map(keyOf), anchor.current, keyOf(target))));
    } else anchor.current = '';
    goTo(aim.at, aim.column);
  };

  const pressHeading = (key: string, column: number): boolean => {
    if (key !== 'Enter' && key !== ' ') return false;
    const heading = columns[column - 1];
    if (heading) props.onSort(heading.id);
    else toggleAll();
    return true;
  };

  /** Handles a key in the focused cell. Returns whether it was handled. */
  const press = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const { at, column } = active;
    const row = rows[at];
    if (at === HEADER) return pressHeading(key, column);
    if (row === undefined) return false;
    switch (key) {
      case ' ':
        toggle(keyOf(row), shiftKey);
        break;
      case 'Enter':
      case 'F2':
        if (column === 0) toggle(keyOf(row), false);
        else startEditing(at, column);
        break;
      case 'Escape':
        if (selected.size === 0) return false;
        onSelect(new Set());
        break;
      case 'Delete':
        props.onRemove?.(selected.size > 0 ? [...selected] : [keyOf(row)]);
        break;
      default:
        if ([...key].length !== 1) return false;
        startEditing(at, column, key);
    }
    return true;
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (editing || event.altKey) return;
    const page = Math.max(1, sight.count - 2);
    const extent = { ...active, rows: rows.length, columns: columns.length, page };
    const aim = targetCell(event, extent);
    const isMod = event.ctrlKey || event.metaKey;
    if (aim) walk(aim, event.shiftKey && !isMod);
    else if (isMod && event.key.toLowerCase() === 'a') onSelect(new Set(props.rows.map(keyOf)));
    else if (isMod || !press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (editing || !props.onPaste || !/[\n\t]/.test(text.trim())) return;
    event.preventDefault();
    props.onPaste(text);
  };

  return {
    scroller,
    rows,
    inSight,
    active,
    editing,
    handlers,
    toggleAll,
    activate: act.activate,
    tabIndex: (at: number, column: number) => (active.at === at && active.column === column ? 0 : -1),
    onScroll: look,
    onKeyDown,
    onPaste,
    onFocus: () => {
      hasFocus.current = true;
    },
    onBlur: (event: FocusEvent) => {
      // When a focused element is removed, `relatedTarget` is null.
      if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) hasFocus.current = false;
    },
  };
}

/** The current position of the focused cell: the same row even if it moved, or the row that replaced it. */
function current<Row>(
  place: Active,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  columns: number,
): Active {
  const column = Math.min(place.column, columns);
  if (place.at === HEADER || rows.length === 0) return { ...place, at: HEADER, column };
  const there = rows[place.at];
  if (there !== undefined && keyOf(there) === place.key) return { ...place, column };
  const moved = place.key ? rows.findIndex((row) => keyOf(row) === place.key) : -1;
  return { ...place, at: moved >= 0 ? moved : Math.min(place.at, rows.length - 1), column };
}

/** The rows in their previous order, with new rows last. Includes the edited row even if it was deleted. */
function inOrder<Row>(
  rows: readonly Row[],
  order: readonly string[],
  edited: Row,
  keyOf: (row: Row) => string,
): Row[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  const ordered: Row[] = [];
  for (const key of order) {
    const row = byKey.get(key) ?? (key === keyOf(edited) ? edited : undefined);
    if (row !== undefined) ordered.push(row);
    byKey.delete(key);
  }
  return [...ordered, ...byKey.values()];
}

function between(keys: readonly string[], start: string, end: string): string[] {
  const [from, to] = [keys.indexOf(start), keys.indexOf(end)].sort((a, b) => a - b);
  return from === undefined || to === undefined || from < 0 ? [end] : keys.slice(from, to + 1);
}
