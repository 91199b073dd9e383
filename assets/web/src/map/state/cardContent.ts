/** The content of cards, from the model and the view settings. */
import type { Component } from '@/api/generated';
import type { CardContent } from '@/core/drawing/card';
import { shapeOf } from '@/core/drawing/shapes';
import { typeAppearance } from '@/core/model/lens';
import { hasLifecycleMark } from '@/core/model/lifecycle';
import { type Model, ownerOf } from '@/core/model/model';
import { technologiesOf } from '@/core/model/technology';
import type { ContentOf } from '@/core/scene/cardSizes';
import { memoizeLast } from '@/core/scene/memoize';
import type { ShownDetails } from './cardDetails';

type Source = Pick<Model, 'catalogue' | 'customTypes' | 'stakeholders'>;

/** Returns the content of cards. The result for a component is the same object until one of its inputs changes. */
export const contentOf = memoizeLast(
  (
    catalogue: Source['catalogue'],
    customTypes: Source['customTypes'],
    stakeholders: Source['stakeholders'],
    details: ShownDetails,
  ): ContentOf => {
    const model = { catalogue, customTypes, stakeholders } as Model;
    const known = new WeakMap<Component, CardContent>();
    return (component, isCollapsedGroup) => {
      const shape = shapeOf(component.typeId, isCollapsedGroup);
      const before = known.get(component);
      if (before?.shape === shape) return before;
      const content: CardContent = {
        shape,
        name: component.name,
        note: [
          typeAppearance(model, component).name,
          ...(details.technology ? technologiesOf(component).slice(0, 1) : []),
        ].join(' · '),
        description: details.description ? firstParagraph(component.description ?? '') : '',
        hasLifecycle: details.lifecycle && hasLifecycleMark(component.properties.lifecycle),
        hasOwner: details.owner && ownerOf(model, component.id) !== undefined,
      };
      known.set(component, content);
      return content;
    };
  },
);

/** Maximum number of characters of a description to use; cards show two lines. */
const MAX_DESCRIPTION = 160;

function firstParagraph(text: string): string {
  const [first = ''] = text
    .slice(0, MAX_DESCRIPTION)
    .trim()
    .split(/\n\s*\n/);
  return first.replace(/\s+/g, ' ');
}
