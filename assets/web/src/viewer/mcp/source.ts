/** The map of a tool call. Everything is read through the host, with the permissions of its connection. */
import { parseDrawing } from '../parseDrawing';
import type { Connection, Details, Model, Source, Theme } from '../source';
import { SourceError } from '../source';
import { drawingOf, modelOf, stepsOf, type ToolCall } from './call';
import { type Host, HostError, type Json, listOf, objectOf, textOf, textsOf } from './protocol';

/** Pages of steps that are read, each with some hundreds. */
const MAX_PAGES = 20;
/** The texts of the server for drawings that are too large. They are advice for models. */
const IS_TOO_LARGE = /would (have more|be larger) than|an image can show at most/;
const TOO_LARGE = 'This map is too large to be shown here. Ask for a part of it, or open it in Planroom.';

export class McpSource implements Source {
  /** Opens an address in the browser of the user; undefined if the host does not offer it. */
  openAddress: ((url: string) => void) | undefined;
  toggleFullscreen: (() => void) | undefined;
  canTellModel = false;
  #host: Host;
  #call: ToolCall;
  #images = new Map<Theme, Promise<string>>();
  #names: Promise<ReadonlyMap<string, string>> | undefined;
  #theme: Theme;
  #address = '';
  #wasSelected = false;

  constructor(host: Host, call: ToolCall, theme: Theme) {
    this.#host = host;
    this.#call = call;
    this.#theme = theme;
  }

  async model(): Promise<Model> {
    const names = await this.#readNames();
    const model = modelOf(this.#call, (id) => names.get(id) ?? id);
    if (this.#call.tool !== 'get_process') return model;
    const steps = stepsOf(await this.#allSteps(), (id) => names.get(id));
    return { ...model, processes: [{ name: model.title, steps }] };
  }

  image(theme: Theme): Promise<string> {
    this.#theme = theme;
    const known = this.#images.get(theme);
    if (known) return known;
    const image = this.#draw(theme);
    this.#images.set(theme, image);
    // A failed request is sent again.
    image.catch(() => this.#images.delete(theme));
    return image;
  }

  async details(key: string): Promise<Details> {
    const { workspaceId } = this.#call.input;
    const found = await this.#callTool('get_components', { workspaceId, componentIds: [key] });
    const component = listOf(objectOf(found.structuredContent).components)[0];
    if (!component) throw new SourceError('This component no longer exists.');
    return detailsOf(component);
  }

  selected(key: string | undefined, name: string): void {
    if (!this.canTellModel || (key === undefined && !this.#wasSelected)) return;
    this.#wasSelected = key !== undefined;
    const { workspaceId } = this.#call.input;
    const about = `of workspace ${JSON.stringify(workspaceId)}`;
    const text =
      key === undefined
        ? `The user has selected no component on the map ${about}.`
        : `The user has selected the component ${JSON.stringify(key)}, named ${JSON.stringify(name)}, on the map ${about}.`;
    this.#host
      .request('ui/update-model-context', { content: [{ type: 'text', text }] })
      .catch(() => undefined);
  }

  get open(): ((key?: string) => void) | undefined {
    const open = this.openAddress;
    if (!open) return undefined;
    return (key) => {
      if (!this.#address) return;
      const url = new URL(this.#address);
      if (key !== undefined) {
        // The map of the workspace, even where the address is that of a process.
        url.pathname = url.pathname.replace(/\/processes\/[^/]*$/, '');
        url.search = new URLSearchParams({ c: key }).toString();
      }
      open(url.href);
    };
  }

  async #draw(theme: Theme): Promise<string> {
    const drawn = await this.#callTool('draw_map', { ...drawingOf(this.#call), theme, format: 'svg' });
    const resource = listOf(drawn.content)
      .map((block) => objectOf(block.resource))
      .find(({ mimeType }) => mimeType === 'image/svg+xml');
    if (!resource) throw new SourceError('The drawing is missing in the result.');
    this.#address = textOf(resource.uri);
    return textOf(resource.text);
  }

  /** The names in the drawing. */
  #readNames(): Promise<ReadonlyMap<string, string>> {
    this.#names ??= this.image(this.#theme).then((image) => namesIn(image));
    this.#names.catch(() => {
      this.#names = undefined;
    });
    return this.#names;
  }

  /** The result, or the list of all steps if the result has only the first. */
  async #allSteps(): Promise<Json> {
    const { input, result } = this.#call;
    const listed = listOf(result.steps).length;
    if (Array.isArray(result.steps) && !textsOf(result.more).includes('steps')) return result;
    const { workspaceId, processId } = input;
    const rows: unknown[] = [];
    let cursor = '';
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const args = { workspaceId, processId, list: 'steps', ...(cursor ? { cursor } : {}) };
      const found = objectOf((await this.#callTool('get_process', args)).structuredContent);
      rows.push(...(Array.isArray(found.rows) ? found.rows : []));
      cursor = textOf(found.nextCursor);
      if (!cursor) break;
    }
    return rows.length >= listed ? { rows } : result;
  }

  async #callTool(name: string, args: Json): Promise<Json> {
    let result: Json;
    try {
      result = await this.#host.request('tools/call', { name, arguments: args });
    } catch (error) {
      const reason = error instanceof HostError ? error.message : 'Unknown error';
      throw new SourceError(`The map cannot be loaded: ${reason}`);
    }
    if (result.isError) {
      const text = errorText(result);
      throw new SourceError(IS_TOO_LARGE.test(text) ? TOO_LARGE : text);
    }
    return result;
  }
}

/** The text of a failed tool call. The part for models is left out. */
export function errorText(result: Json): string {
  const text = listOf(result.content)
    .map((block) => textOf(block.text))
    .filter(Boolean)
    .join('\n');
  return text.replace(/ \(code: \w+\)\. What to do:.*$/s, '.') || 'The call failed.';
}

function namesIn(image: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const part of parseDrawing(image).svg.querySelectorAll<SVGGElement>('g[data-id]:not([data-from])')) {
    const rows = [...part.querySelectorAll('text.t')].map((row) => row.textContent);
    const { id = '' } = part.dataset;
    if (rows.length > 0 || !names.has(id)) names.set(id, rows.join(' ') || id);
  }
  return names;
}

function detailsOf(component: Json): Details {
  const fact = (name: string, value: unknown) => {
    const text = Array.isArray(value) ? textsOf(value).join(', ') : textOf(value);
    return text ? [{ name, value: text }] : [];
  };
  const connections = (list: unknown, isOutgoing: boolean): Connection[] =>
    listOf(list).map(({ componentId, typeId, label }) => ({
      key: textOf(componentId),
      name: undefined,
      label: textOf(label) || words(textOf(typeId)).toLowerCase(),
      isOutgoing,
    }));
  const owners = listOf(component.stakeholders)
    .filter(({ linkType }) => linkType === 'owner')
    .map(({ name }) => textOf(name));
  const { lifecycle } = objectOf(component.properties);
  return {
    name: textOf(component.name),
    type: words(textOf(component.typeId)),
    description: textOf(component.description),
    facts: [
      ...fact(owners.length > 1 ? 'Owners' : 'Owner', owners),
      ...fact('Technology', component.technology),
      ...fact('Lifecycle', typeof lifecycle === 'string' ? words(lifecycle) : undefined),
      ...fact('Tags', component.tags),
    ],
    connections: [...connections(component.outgoing, true), ...connections(component.incoming, false)],
    connectionCount: Number(component.outgoingCount ?? 0) + Number(component.incomingCount ?? 0),
  };
}

/** An id of the type catalog as words: "message-queue" becomes "Message queue". */
function words(id: string): string {
  const text = id.replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
