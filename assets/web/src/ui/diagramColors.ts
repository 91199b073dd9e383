/** Design tokens as plain colors, as required by Mermaid. */

export type DiagramColors = Readonly<Record<string, string>>;

/** Mermaid's color names and the corresponding tokens. */
const TOKENS: Readonly<Record<string, string>> = {
  background: '--sheet',
  primaryColor: '--sheet',
  primaryTextColor: '--ink',
  primaryBorderColor: '--line-strong',
  lineColor: '--ink-soft',
  textColor: '--ink',
  actorBkg: '--sheet',
  actorBorder: '--accent',
  actorTextColor: '--ink',
  actorLineColor: '--line-strong',
  signalColor: '--ink-soft',
  signalTextColor: '--ink',
  labelBoxBkgColor: '--accent-wash',
  labelBoxBorderColor: '--accent',
  labelTextColor: '--ink',
  loopTextColor: '--ink',
  noteBkgColor: '--warn-wash',
  noteTextColor: '--ink',
  noteBorderColor: '--warn',
  activationBkgColor: '--accent-wash',
  activationBorderColor: '--accent',
  sequenceNumberColor: '--sheet',
};

/** The colors of the current theme, or of the given one. */
export function diagramColors(scheme?: 'light' | 'dark'): DiagramColors {
  const probe = document.createElement('span');
  if (scheme) probe.style.colorScheme = scheme;
  document.body.append(probe);
  const entries = Object.entries(TOKENS).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, hex(getComputedStyle(probe).color)] as const;
  });
  probe.remove();
  return Object.fromEntries(entries);
}

function hex(color: string): string {
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}
