/** The page for MCP hosts: shows the map of the tool call that the host passes to it. */
import { VERSION } from '../../core/version';
import type { Theme } from '../source';
import { Viewer } from '../viewer';
import { toolOf } from './call';
import { Host, type Json, objectOf, textOf, textsOf } from './protocol';
import { errorText, McpSource } from './source';

const PROTOCOL_VERSION = '2026-01-26';

const host = new Host(window);
const page = document.documentElement;
const main = document.querySelector('main') ?? document.body;
/** What the host has told: the input, the result, and its context. */
let input: Json | undefined;
let context: Json = {};
let capabilities: Json = {};
let viewer: Viewer | undefined;
let source: McpSource | undefined;

const theme = (): Theme => {
  if (context.theme === 'dark' || context.theme === 'light') return context.theme;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

/** An empty map with a text. */
function say(text: string): void {
  show(new McpSource(host, { tool: '', input: {}, result: {} }, theme())).say(text);
}

function show(next: McpSource): Viewer {
  viewer?.stop();
  source = next;
  viewer = new Viewer(next, theme(), 'inline');
  main.replaceChildren(viewer.root);
  applyContext();
  return viewer;
}

function showResult(result: Json): void {
  if (result.isError) {
    say(errorText(result));
    return;
  }
  const given = input ?? {};
  const tool = textOf(objectOf(objectOf(context.toolInfo).tool).name) || toolOf(given);
  if (textOf(given.workspaceId) === '') {
    say('The host did not pass the arguments of the call.');
    return;
  }
  const call = { tool, input: given, result: objectOf(result.structuredContent) };
  void show(new McpSource(host, call, theme())).load();
}

/** Applies theme, style variables, display mode and insets of the host. */
function applyContext(): void {
  const { variables, css } = objectOf(context.styles);
  for (const [name, value] of Object.entries(objectOf(variables))) {
    if (name.startsWith('--') && typeof value === 'string') page.style.setProperty(name, value);
  }
  const fonts = textOf(objectOf(css).fonts);
  if (fonts) hostFonts.replace(fonts).catch(() => undefined);
  const { top, right, bottom, left } = objectOf(context.safeAreaInsets);
  const insets = [top, right, bottom, left].map((inset) => `${Math.max(Number(inset) || 0, 0)}px`);
  document.body.style.padding = insets.join(' ');
  const modes = textsOf(context.availableDisplayModes);
  const isFullscreen = context.displayMode === 'fullscreen';
  if (source) {
    source.canTellModel = capabilities.updateModelContext !== undefined;
    source.openAddress =
      capabilities.openLinks === undefined
        ? undefined
        : (url) => void host.request('ui/open-link', { url }).catch(() => undefined);
    source.toggleFullscreen = toggleFullscreen;
  }
  viewer?.setTheme(theme());
  viewer?.setMode(isFullscreen ? 'full' : 'inline');
  viewer?.setFullscreen(isFullscreen);
  viewer?.setAbilities(modes.includes('fullscreen') || isFullscreen);
}

const hostFonts = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, hostFonts];

async function toggleFullscreen(): Promise<void> {
  const mode = context.displayMode === 'fullscreen' ? 'inline' : 'fullscreen';
  try {
    const result = await host.request('ui/request-display-mode', { mode });
    // The host decides which mode it is.
    context = { ...context, displayMode: textOf(result.mode) || context.displayMode };
    applyContext();
  } catch {
    // The mode stays.
  }
}

host.notified['ui/notifications/tool-input'] = ({ arguments: given }) => {
  input = objectOf(given);
};
host.notified['ui/notifications/tool-result'] = showResult;
host.notified['ui/notifications/tool-cancelled'] = ({ reason }) =>
  say(`The call was cancelled${textOf(reason) ? `: ${textOf(reason)}` : ''}.`);
host.notified['ui/notifications/host-context-changed'] = (changed) => {
  context = { ...context, ...changed };
  applyContext();
};
host.requested['ui/resource-teardown'] = () => {
  viewer?.stop();
  return {};
};

new ResizeObserver(() => {
  if (context.displayMode === 'fullscreen') return;
  const { width, height } = document.body.getBoundingClientRect();
  host.notify('ui/notifications/size-changed', { width: Math.ceil(width), height: Math.ceil(height) });
}).observe(document.body);

say('Connecting…');
try {
  const response = await host.request('ui/initialize', {
    protocolVersion: PROTOCOL_VERSION,
    appInfo: { name: 'planroom-map', title: 'Planroom', version: VERSION },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] },
  });
  capabilities = objectOf(response.hostCapabilities);
  context = { ...objectOf(response.hostContext), ...context };
  applyContext();
  if (!input) viewer?.say('Waiting for the result…');
  host.notify('ui/notifications/initialized');
} catch {
  say('The host does not show maps. The text of the answer is complete.');
}
