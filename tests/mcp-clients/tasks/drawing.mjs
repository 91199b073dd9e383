// A description of Planroom itself, as an assistant draws it: 22 components, four of them groups, and 37 relationships
// including containment, a process with 13 steps, a team, and eight owners.

const GROUPS = {
  planroom: ['entrances', 'core', 'foundation'],
  entrances: ['web-client', 'rest-api', 'mcp-server', 'event-stream'],
  core: ['gate', 'map-model', 'history', 'placement', 'mermaid', 'transfer'],
  foundation: ['store', 'sqlite', 'jobs', 'wiki-adapter'],
};

const COMPONENTS = [
  ['user', 'person', 'User', 'Draws and reads maps'],
  ['assistant', 'external-system', 'Assistant', 'A language model with the tools of the MCP server'],
  ['sign-in', 'identity-provider', 'Sign-in provider', 'OpenID Connect'],
  ['wiki', 'external-system', 'Wiki', 'Pages that components link to'],
  ['planroom', 'system', 'Planroom', 'A self-hosted map of the software of a team, in one binary'],
  ['entrances', 'domain', 'Entrances', 'What requests come in through'],
  ['web-client', 'web-app', 'Web client', 'React and canvas, embedded in the binary'],
  ['rest-api', 'api', 'REST API', 'One route table'],
  ['mcp-server', 'api', 'MCP server', 'Tools for assistants'],
  ['event-stream', 'api', 'Event stream', 'Changes and presence as they happen'],
  ['core', 'domain', 'Core', 'The rules of the map'],
  ['gate', 'component', 'Permission gate', 'The only way to the data; checks who may do what'],
  ['map-model', 'component', 'Map', 'Components, relationships, stakeholders and processes'],
  ['history', 'component', 'History', 'Change log, undo and versions'],
  ['placement', 'component', 'Placement', 'Where new components are drawn'],
  ['mermaid', 'library', 'Mermaid parser', 'Reads sequence diagrams'],
  ['transfer', 'component', 'Import and export', ''],
  ['foundation', 'domain', 'Foundation', 'What the core runs on'],
  ['store', 'component', 'Store', 'One writer thread, several readers'],
  ['sqlite', 'database', 'SQLite file', 'All data of an instance'],
  ['jobs', 'job', 'Background jobs', 'Cleanup and backups'],
  ['wiki-adapter', 'component', 'Wiki adapter', 'Reads pages with the rights of the user'],
];

const LINES = [
  ['user', 'uses', 'web-client', ''],
  ['assistant', 'calls', 'mcp-server', 'tools'],
  ['web-client', 'calls', 'rest-api', 'JSON'],
  ['web-client', 'subscribes', 'event-stream', 'server-sent events'],
  ['rest-api', 'calls', 'gate', ''],
  ['mcp-server', 'calls', 'gate', ''],
  ['event-stream', 'reads', 'history', ''],
  ['gate', 'calls', 'map-model', ''],
  ['gate', 'authenticates-with', 'sign-in', ''],
  ['map-model', 'calls', 'placement', ''],
  ['map-model', 'uses', 'mermaid', ''],
  ['map-model', 'writes', 'history', 'change sets'],
  ['map-model', 'writes', 'store', ''],
  ['history', 'writes', 'store', ''],
  ['transfer', 'calls', 'map-model', ''],
  ['rest-api', 'calls', 'transfer', 'files'],
  ['store', 'writes', 'sqlite', ''],
  ['jobs', 'writes', 'store', ''],
  ['rest-api', 'calls', 'wiki-adapter', ''],
  ['wiki-adapter', 'calls', 'wiki', 'HTTPS'],
];

const PROCESS = `sequenceDiagram
  actor user as User
  participant assistant as Assistant
  participant mcp as MCP server
  participant gate as Permission gate
  participant map as Map
  participant placement as Placement
  participant history as History
  participant store as Store
  participant db as SQLite file
  user->>assistant: Draw our systems
  assistant->>mcp: upsert_components
  mcp->>gate: Check access
  gate->>map: Write components
  map->>placement: Find free places
  placement-->>map: Positions
  map->>store: Insert rows
  store->>db: Transaction
  map->>history: Record the change set
  history->>store: Insert changes
  gate-->>mcp: Written ids
  mcp-->>assistant: Ids, change set, address
  assistant-->>user: The address of the map
`;

const PARTICIPANTS = {
  user: 'user',
  assistant: 'assistant',
  mcp: 'mcp-server',
  gate: 'gate',
  map: 'map-model',
  placement: 'placement',
  history: 'history',
  store: 'store',
  db: 'sqlite',
};

/** The components with owners. */
export const OWNED = ['web-client', 'rest-api', 'mcp-server', 'gate', 'map-model', 'history', 'placement', 'store'];

const parentOf = (id) => Object.keys(GROUPS).find((group) => GROUPS[group].includes(id));

export const GROUP_COUNT = Object.keys(GROUPS).length;

/** The components as arguments of `upsert_components`, with their groups or without. */
export function components(withGroups) {
  return COMPONENTS.map(([id, typeId, name, description]) => {
    const parentId = withGroups ? parentOf(id) : undefined;
    return { id, typeId, name, ...(description && { description }), ...(parentId && { parentId }) };
  });
}

/** The relationships other than containment as arguments of `upsert_relationships`. */
export function relationships() {
  return LINES.map(([sourceId, typeId, targetId, label]) => ({ sourceId, typeId, targetId, ...(label && { label }) }));
}

/** The containment as relationships. */
export function containment() {
  return Object.entries(GROUPS).flatMap(([sourceId, parts]) =>
    parts.map((targetId) => ({ sourceId, typeId: 'contains', targetId })),
  );
}

/** The process as arguments of `save_process`. */
export const process = {
  processId: 'assistant-draws',
  name: 'An assistant draws a map',
  mermaid: PROCESS,
  participants: PARTICIPANTS,
};

/** Ways to draw the same map with tool calls: names, and the calls after the workspace was created. */
export const VARIATIONS = {
  'groups in a second call': async (call) => {
    await call('upsert_components', { components: components(false) });
    await call('upsert_relationships', { relationships: [...containment(), ...relationships()] });
  },
  'one call for each component': async (call) => {
    for (const component of components(true).sort(byDepth))
      await call('upsert_components', { components: [component] });
    await call('upsert_relationships', { relationships: relationships() });
  },
  'groups, then relationships, then arranged': async (call) => {
    await call('upsert_components', { components: components(false) });
    await call('upsert_relationships', { relationships: containment() });
    await call('upsert_relationships', { relationships: relationships() });
    await call('arrange_components', {});
  },
};

/** Groups before their contents, because a group must exist. */
function byDepth(one, other) {
  const depth = ({ id }) => (parentOf(id) === undefined ? 0 : 1 + depth({ id: parentOf(id) }));
  return depth(one) - depth(other);
}
