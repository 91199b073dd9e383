/** A shared map: the files below the address of the link. */
import {
  type Connection,
  type Details,
  type Model,
  type Source,
  SourceError,
  type Step,
  type Theme,
} from '../source';

/** The contents of `model.json`. Keys are those in the drawing. */
export interface SharedModel {
  name: string;
  components: SharedComponent[];
  relationships: { key: string; from: string; to: string; label?: string; type: string }[];
  processes?: { key: string; name: string; steps: SharedStep[] }[];
}

interface SharedComponent {
  key: string;
  name: string;
  type: string;
  parent?: string;
  description?: string;
  technology?: string[];
}

interface SharedStep {
  from: string | null;
  to: string | null;
  fromName: string;
  toName: string;
  text: string;
}

/** The header that is equal for a drawing and a model of the same state. */
const STATE = 'x-share-state';
/** How often the drawing and the model are loaded until they are of the same state. */
const MAX_ATTEMPTS = 4;

/** A model, and the state that it shows. */
interface LoadedModel {
  state: string | null;
  shared: SharedModel;
  model: Model;
}

export class ShareSource implements Source {
  toggleFullscreen: (() => void) | undefined;
  #base: URL;
  #loaded: Promise<LoadedModel> | undefined;
  /** The model of the last drawing. */
  #shown: Model | undefined;

  constructor(base: URL) {
    this.#base = base;
  }

  async model(): Promise<Model> {
    return (await this.#read()).model;
  }

  /** Keys are ordinals, so the drawing and the model must be of the same state. */
  async image(theme: Theme): Promise<string> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const [image, { state, model }] = await Promise.all([
        this.#get(`image.svg?theme=${theme}&ids=true`),
        this.#read(),
      ]);
      if (image.headers.get(STATE) === state) {
        this.#shown = model;
        return image.text();
      }
      this.#loaded = undefined;
    }
    throw new SourceError('The map is being changed. Try again in a moment.');
  }

  isOutdated(model: Model): boolean {
    return model !== this.#shown;
  }

  async details(key: string): Promise<Details> {
    return detailsOf((await this.#read()).shared, key);
  }

  #read(): Promise<LoadedModel> {
    this.#loaded ??= this.#load();
    this.#loaded.catch(() => {
      this.#loaded = undefined;
    });
    return this.#loaded;
  }

  async #load(): Promise<LoadedModel> {
    const response = await this.#get('model.json');
    const shared: SharedModel = await response.json();
    return { state: response.headers.get(STATE), shared, model: modelOf(shared) };
  }

  async #get(path: string): Promise<Response> {
    const response = await fetch(new URL(path, this.#base)).catch(() => undefined);
    if (!response) throw new SourceError('The server cannot be reached.');
    if (!response.ok) throw new SourceError(problem(response.status));
    return response;
  }
}

function problem(status: number): string {
  switch (status) {
    case 401:
      return 'This link needs a password. Reload the page to enter it.';
    case 404:
      return 'This link has ended.';
    case 422:
      return 'This map is too large to be drawn.';
    case 429:
    case 503:
      return 'Too many requests. Try again in a moment.';
    default:
      return 'The map cannot be loaded.';
  }
}

function modelOf({ name, processes = [] }: SharedModel): Model {
  return {
    title: name,
    summary: '',
    processes: processes.map((process) => ({ name: process.name, steps: process.steps.map(stepOf) })),
    highlights: [],
    focus: undefined,
  };
}

function stepOf({ from, to, ...step }: SharedStep): Step {
  return { ...step, from: from ?? undefined, to: to ?? undefined };
}

export function detailsOf(model: SharedModel, key: string): Details {
  const byKey = new Map(model.components.map((component) => [component.key, component]));
  const component = byKey.get(key);
  if (!component) throw new SourceError('This component is not part of the shared map.');
  const connections = model.relationships.flatMap(({ from, to, label, type }): Connection[] => {
    if (from !== key && to !== key) return [];
    const other = from === key ? to : from;
    return [
      {
        key: other,
        name: byKey.get(other)?.name,
        label: label || type.toLowerCase(),
        isOutgoing: from === key,
      },
    ];
  });
  const parent = component.parent === undefined ? undefined : byKey.get(component.parent)?.name;
  return {
    name: component.name,
    type: component.type,
    description: component.description ?? '',
    facts: [
      ...(component.technology?.length
        ? [{ name: 'Technology', value: component.technology.join(', ') }]
        : []),
      ...(parent ? [{ name: 'Part of', value: parent }] : []),
    ],
    connections,
    connectionCount: connections.length,
  };
}
