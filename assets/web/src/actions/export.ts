/** What can be taken out of a workspace, as files. */
import { escaped } from '@/core/export/xml';
import { elementOf } from '@/ui/Diagram';
import { colours } from '@/ui/DiagramColours';
import { draw } from '@/ui/DiagramDraw';
import { download, fileName } from './download';

/** The diagram of a process as an SVG, in the colours of the light. */
export async function exportProcess(name: string, text: string): Promise<void> {
  const drawing = await draw(text, colours('light'));
  const element = elementOf(drawing);
  if (!element) throw new Error('The diagram could not be drawn.');
  // The styles go in as text: a style element in this page would be one more for its policy to stop.
  const whole = new XMLSerializer().serializeToString(element);
  const end = whole.indexOf('>') + 1;
  const svg = `${whole.slice(0, end)}<style>${escaped(drawing.css)}</style>${whole.slice(end)}`;
  download(fileName(name, 'svg'), svg, 'image/svg+xml');
}
