/** Adds notes, frames and images to the map, and changes the selected ones. */
import {
  ArrowDown,
  ArrowUp,
  BringToFront,
  Frame,
  ImagePlus,
  Palette,
  Pencil,
  SendToBack,
  StickyNote,
} from 'lucide-react';
import type { NoteKind } from '@/api/generated';
import { NOTE_COLORS } from '@/core/notes/note';
import type { LayerChange } from '@/core/notes/order';
import { chooseImages } from '@/map/edits/imageUpload';
import { changeLayer, openNote, selectedNotes, setNoteColor, startPlacing } from '@/map/edits/notes';
import { targetNote } from '@/map/state/selection';
import { useView } from '@/map/state/view';
import { canEdit } from '@/workspace/model';
import { useWorkspace } from '@/workspace/store';
import type { Action } from './action';

const isMap = () => useView.getState().camera !== null;
const hasNotes = () => isMap() && useView.getState().selectedNotes.size > 0;
const mayEditNotes = () => hasNotes() && canEdit();
/** Whether notes with a color are selected. Images have none. */
const hasColor = () => mayEditNotes() && selectedNotes().some(({ kind }) => kind !== 'image');

/** The note that actions on a single note change. */
const targetedNote = () => useWorkspace.getState().rows?.note.get(targetNote() ?? '');

/** The selected note, if nothing else is selected. */
const onlyNote = () => {
  const { selectedComponents, selectedRelationships, selectedNotes: ids } = useView.getState();
  const [id] = ids;
  return ids.size === 1 && selectedComponents.size + selectedRelationships.size === 0 ? id : undefined;
};

const LAYERS: readonly {
  change: LayerChange;
  title: string;
  key?: string;
  icon: NonNullable<Action['icon']>;
}[] = [
  { change: 'forward', title: 'Bring forward', key: ']', icon: ArrowUp },
  { change: 'backward', title: 'Send backward', key: '[', icon: ArrowDown },
  { change: 'front', title: 'Bring to front', icon: BringToFront },
  { change: 'back', title: 'Send to back', icon: SendToBack },
];

const EDIT_TITLES: Readonly<Record<NoteKind, string>> = {
  note: 'Edit text',
  frame: 'Edit title',
  image: 'Edit description',
};

/** The actions that add notes. */
export const noteCreationActions: readonly Action[] = [
  {
    id: 'note.add',
    title: 'Add note',
    group: 'Map',
    keys: ['T'],
    icon: StickyNote,
    isEnabled: isMap,
    run: () => startPlacing('note'),
  },
  {
    id: 'note.addFrame',
    title: 'Add frame',
    group: 'Map',
    keys: ['Shift+F'],
    icon: Frame,
    isEnabled: isMap,
    run: () => startPlacing('frame'),
  },
  {
    id: 'note.addImage',
    title: 'Add image…',
    group: 'Map',
    keys: ['Shift+I'],
    icon: ImagePlus,
    isEnabled: isMap,
    run: () => chooseImages(),
  },
];

/** The actions on selected notes. */
export const noteActions: readonly Action[] = [
  {
    id: 'note.edit',
    title: () => {
      const kind = targetedNote()?.kind;
      return kind ? EDIT_TITLES[kind] : 'Edit note';
    },
    group: 'Selection',
    keys: ['Enter', 'F2'],
    icon: Pencil,
    isEnabled: () => isMap() && onlyNote() !== undefined && canEdit(),
    run: () => {
      const note = targetedNote();
      if (note) openNote(note);
    },
  },
  ...LAYERS.map(
    ({ change, title, key, icon }): Action => ({
      id: `note.${change}`,
      title,
      group: 'Arrange',
      ...(key ? { keys: [key] } : {}),
      icon,
      isEnabled: mayEditNotes,
      run: () => changeLayer(change),
    }),
  ),
  ...NOTE_COLORS.map(
    ({ id, name }): Action => ({
      id: `note.color.${id}`,
      title: `Note color: ${name.toLowerCase()}`,
      group: 'Selection',
      icon: Palette,
      isEnabled: hasColor,
      run: () => setNoteColor(useView.getState().selectedNotes, id),
    }),
  ),
];
