/** The appearance of highlights: a color, and a mark for users who cannot distinguish the colors. */
import { memoizeLast } from '@/core/scene/memoize';
import type { Scene } from '@/core/scene/scene';
import type { Highlight, HighlightKind } from '../state/view';
import type { ThemeColors } from './themeColors';

/** The mark and its name for screen readers. */
export const HIGHLIGHT_MARKS: Readonly<Record<HighlightKind, { sign: string; name: string }>> = {
  current: { sign: '▶', name: 'current step' },
  visited: { sign: '✓', name: 'visited' },
  added: { sign: '+', name: 'added' },
  changed: { sign: '~', name: 'changed' },
  removed: { sign: '−', name: 'removed' },
  moved: { sign: '↔', name: 'moved' },
  conflicting: { sign: '!', name: 'conflicting' },
  start: { sign: '?', name: 'start of the analysis' },
  dependent: { sign: '◂', name: 'dependent' },
  dependency: { sign: '▸', name: 'dependency' },
  path: { sign: '●', name: 'on the path' },
};

export function highlightColor(tone: HighlightKind, themeColors: ThemeColors): string {
  const colors: Record<HighlightKind, string> = {
    current: themeColors.accent,
    visited: themeColors.soft,
    added: themeColors.good,
    changed: themeColors.warn,
    removed: themeColors.alarm,
    moved: themeColors.accent,
    conflicting: themeColors.alarm,
    start: themeColors.accent,
    dependent: themeColors.warn,
    dependency: themeColors.good,
    path: themeColors.accent,
  };
  return colors[tone];
}

/** The highlights by node. A collapsed group gets the highlights of its hidden components. */
export const nodeHighlights = memoizeLast(
  (scene: Scene, highlight: Highlight | null): ReadonlyMap<string, HighlightKind> => {
    const tones = new Map<string, HighlightKind>();
    for (const [id, tone] of highlight?.components ?? []) {
      const node = scene.nodes[scene.indexOf.get(id) ?? -1];
      if (!node) continue;
      // The node's own highlight takes precedence over those of hidden components, and the current step over all
      // others.
      if (node.id === id || !tones.has(node.id) || tone === 'current') tones.set(node.id, tone);
    }
    return tones;
  },
);
