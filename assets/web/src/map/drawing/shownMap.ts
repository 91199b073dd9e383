/** The map as it is shown, for exported images. */
import type { ShownLook, ShownMap } from '@/core/export/scene';
import { logosOf } from '@/core/model/technology';
import { initials } from '@/core/text';
import { technologyMarkup, typeIconMarkup } from '@/ui/iconMarkup';
import { useWorkspace } from '@/workspace/store';
import { currentRoutes } from '../state/routes';
import { committedRects, currentScene, currentSizes } from '../state/scenes';
import { currentAppearance, type MapAppearance, noteOf } from './appearance';

/** `isIncluded` decides which components are drawn; by default, all are. */
export function shownMap(isIncluded: (id: string) => boolean = () => true): ShownMap {
  return {
    name: useWorkspace.getState().rows?.workspace.name ?? '',
    scene: currentScene(),
    rects: committedRects(),
    cards: currentSizes(),
    routes: currentRoutes().atRest,
    look: lookOf(currentAppearance()),
    isIncluded,
  };
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
