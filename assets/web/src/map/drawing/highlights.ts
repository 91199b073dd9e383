/** How what is lit looks: a colour, and a sign for those to whom colours say little. */
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene } from '@/core/scene/scene';
import type { Highlight, HighlightKind } from '../state/view';
import type { ThemeColors } from './themeColors';

/** A sign, and what it says aloud. */
export const HIGHLIGHT_MARKS: Readonly<Record<HighlightKind, { sign: string; name: string }>> = {
  current: { sign: '▶', name: 'current step' },
  visited: { sign: '✓', name: 'visited' },
  added: { sign: '+', name: 'added' },
  changed: { sign: '~', name: 'changed' },
  removed: { sign: '−', name: 'removed' },
  asked: { sign: '?', name: 'start of the analysis' },
  dependent: { sign: '◂', name: 'dependent' },
  dependency: { sign: '▸', name: 'dependency' },
  way: { sign: '●', name: 'on the path' },
};

export function highlightColor(tone: HighlightKind, ink: ThemeColors): string {
  const colors: Record<HighlightKind, string> = {
    current: ink.accent,
    visited: ink.soft,
    added: ink.good,
    changed: ink.warn,
    removed: ink.alarm,
    asked: ink.accent,
    dependent: ink.warn,
    dependency: ink.good,
    way: ink.accent,
  };
  return colors[tone];
}

/** What is lit among the nodes: a collapsed box is for what it hides. */
export const nodeHighlights = memoizeLast(
  (scene: Scene, highlight: Highlight | null): ReadonlyMap<string, HighlightKind> => {
    const tones = new Map<string, HighlightKind>();
    for (const [id, tone] of highlight?.components ?? []) {
      const node = scene.nodes[scene.indexOf.get(id) ?? -1];
      if (!node) continue;
      // Its own tone goes before those of its parts, and what happens now before what has.
      if (node.id === id || !tones.has(node.id) || tone === 'current') tones.set(node.id, tone);
    }
    return tones;
  },
);
