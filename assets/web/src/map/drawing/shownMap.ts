/** The map as it is shown, for exported images. */
import type { ExportNote } from '@/core/export/notes';
import type { ShownLook, ShownMap } from '@/core/export/scene';
import { logosOf } from '@/core/model/technology';
import { frameTitle } from '@/core/notes/hits';
import { colorValue, isBehind } from '@/core/notes/note';
import { initials } from '@/core/text';
import { technologyMarkup, typeIconMarkup } from '@/ui/iconMarkup';
import { loadNoteParser, noteBlocks } from '@/ui/noteBlocks';
import { useWorkspace } from '@/workspace/store';
import { loadNoteImage } from '../state/noteImages';
import { committedNotes } from '../state/notes';
import { currentRoutes } from '../state/routes';
import { committedRects, currentScene, currentSizes } from '../state/scenes';
import { currentAppearance, type MapAppearance, noteOf } from './appearance';
import { containedRect } from './paintNotes';

/** `isIncluded` decides which components are drawn; by default, all are. */
export function shownMap(
  isIncluded: (id: string) => boolean = () => true,
  notes: readonly ExportNote[] = [],
): ShownMap {
  return {
    name: useWorkspace.getState().rows?.workspace.name ?? '',
    scene: currentScene(),
    rects: committedRects(),
    cards: currentSizes(),
    routes: currentRoutes().atRest,
    look: lookOf(currentAppearance()),
    isIncluded,
    notes,
  };
}

/** The notes to export, with their images, in drawing order. */
export async function shownNotes(isIncluded: (id: string) => boolean): Promise<ExportNote[]> {
  const included = committedNotes().filter(({ note }) => isIncluded(note.id));
  if (included.length > 0) await loadNoteParser();
  return Promise.all(
    included.map(async ({ note, rect }): Promise<ExportNote> => {
      const { id, kind, text } = note;
      const image = note.imageId ? await loadNoteImage(note.imageId) : undefined;
      return {
        id,
        kind,
        rect: image?.element ? containedRect(rect, image.element) : rect,
        color: colorValue(note),
        isBehind: isBehind(note),
        title: kind === 'frame' ? frameTitle(note) : (text ?? ''),
        blocks: kind === 'note' ? noteBlocks(text ?? '') : [],
        image: image?.blob && (await dataUrl(image.blob)),
      };
    }),
  );
}

/** An image as text, because exported files contain everything they need. */
function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

function lookOf(appearance: MapAppearance): ShownLook {
  return {
    component: (component, content) => {
      const owner = content?.hasOwner ? appearance.ownerOf(component) : undefined;
      const type = appearance.typeOf(component);
      const logo = content ? technologyMarkup(logosOf(type, component)) : undefined;
      return {
        color: appearance.componentAppearance(component).color,
        note: content ? noteOf(appearance, component, content) : '',
        icon: logo ?? typeIconMarkup(type.icon),
        lifecycle: content?.hasLifecycle ? appearance.lifecycleOf(component)?.id : undefined,
        owner: owner && { initials: initials(owner.name), color: owner.color },
        isDimmed: content !== null && !appearance.passes(component),
      };
    },
    line: (typeId) => appearance.relationOf(typeId),
    isLineShown: appearance.passesRelation,
  };
}
