/** What the viewer shows, and where it gets it from: an MCP client, or the files of a shared map. */

export type Theme = 'light' | 'dark';

/** A message of a process. Ends that are not components of the drawing have no key. */
export interface Step {
  from: string | undefined;
  to: string | undefined;
  fromName: string;
  toName: string;
  text: string;
}

export interface Process {
  name: string;
  steps: Step[];
}

/** What is highlighted: keys of components and relationships. Everything else is dimmed. */
export interface Highlight {
  name: string;
  components: string[];
  relationships: string[];
}

export interface Model {
  title: string;
  /** One line about what is shown. */
  summary: string;
  processes: Process[];
  highlights: Highlight[];
  /** The component that the map is about. */
  focus: string | undefined;
}

/** A relationship of a component. `key` is the other end. */
export interface Connection {
  key: string;
  name: string | undefined;
  label: string;
  isOutgoing: boolean;
}

export interface Details {
  name: string;
  type: string;
  description: string;
  facts: { name: string; value: string }[];
  connections: Connection[];
  /** The number of all connections, if not all are listed. */
  connectionCount: number;
}

export interface Source {
  /** What is shown. */
  model(): Promise<Model>;
  /** The drawing as SVG, in which components and relationships have their keys in `data-id`. */
  image(theme: Theme): Promise<string>;
  details(key: string): Promise<Details>;
  /** Whether the last drawing shows another state than this model. Undefined if drawings never change. */
  isOutdated?(model: Model): boolean;
  /** Called when a component is selected, or with undefined when none is. */
  selected?(key: string | undefined, name: string): void;
  /** Opens the component in Planroom, or without a key what is shown. Undefined if this is not possible. */
  open?: ((key?: string) => void) | undefined;
  /** Enters or leaves full screen. Undefined if this is not possible. */
  toggleFullscreen?: (() => void) | undefined;
}

/** An error whose message is shown. */
export class SourceError extends Error {}
