/** What exported images contain besides the map, stored in this browser. */
import { create } from 'zustand';

const KEY = 'planroom.images';

export interface ImageOptions {
  title: boolean;
  legend: boolean;
}

export const useImageOptions = create<ImageOptions>()(() => {
  const stored = localStorage.getItem(KEY) ?? '';
  return { title: stored.includes('title'), legend: stored.includes('legend') };
});

export function setImageOptions(change: Partial<ImageOptions>): void {
  useImageOptions.setState(change);
  const { title, legend } = useImageOptions.getState();
  const stored = [title && 'title', legend && 'legend'].filter(Boolean).join(' ');
  if (stored) localStorage.setItem(KEY, stored);
  else localStorage.removeItem(KEY);
}
