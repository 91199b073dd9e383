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

export class ShareSource implements Source {
  toggleFullscreen: (() => void) | undefined;
  #base: URL;
  #model: Promise<SharedModel> | undefined;

  constructor(base: URL) {
    this.#base = base;
  }

  async model(): Promise<Model> {
    const { name, processes = [] } = await this.#read();
    return {
      title: name,
      summary: '',
      processes: processes.map((process) => ({ name: process.name, steps: process.steps.map(stepOf) })),
      highlights: [],
      focus: undefined,
    };
  }

  async image(theme: Theme): Promise<string> {
    return (await this.#get(`image.svg?theme=${theme}&ids=true`)).text();
  }

  async details(key: string): Promise<Details> {
    return detailsOf(await this.#read(), key);
  }

  #read(): Promise<SharedModel> {
    this.#model ??= this.#get('model.json').then((response) => response.json());
    this.#model.catch(() => {
      this.#model = undefined;
    });
    return this.#model;
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
    case 429:
    case 503:
      return 'Too many requests. Try again in a moment.';
    default:
      return 'The map cannot be loaded.';
  }
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
