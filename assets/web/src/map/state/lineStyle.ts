/** Whether lines are routed around components or straight, stored in this browser. */
import { create } from 'zustand';
import type { LineStyle } from '@/core/route/sceneInput';

const KEY = 'planroom.lines';

export const useLineStyle = create<{ style: LineStyle }>()(() => ({
  style: localStorage.getItem(KEY) === 'straight' ? 'straight' : 'routed',
}));

export function setLineStyle(style: LineStyle): void {
  if (style === 'straight') localStorage.setItem(KEY, style);
  else localStorage.removeItem(KEY);
  useLineStyle.setState({ style });
}
