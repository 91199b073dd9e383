/** The formats of other tools, for files whose format is not recognized. */
export const FORMATS: readonly { id: string; name: string }[] = [
  { id: 'archimate', name: 'ArchiMate' },
  { id: 'backstage', name: 'Backstage catalog' },
  { id: 'csv', name: 'CSV tables' },
  { id: 'compose', name: 'Docker Compose' },
  { id: 'drawio', name: 'draw.io' },
  { id: 'excalidraw', name: 'Excalidraw' },
  { id: 'icepanel', name: 'IcePanel' },
  { id: 'kubernetes', name: 'Kubernetes' },
  { id: 'likec4', name: 'LikeC4' },
  { id: 'mermaid-c4', name: 'Mermaid C4' },
  { id: 'mermaid-flowchart', name: 'Mermaid flowchart' },
  { id: 'plantuml-c4', name: 'PlantUML C4' },
  { id: 'servicegraph', name: 'Service graph' },
  { id: 'structurizr-dsl', name: 'Structurizr DSL' },
  { id: 'structurizr-json', name: 'Structurizr JSON' },
  { id: 'terraform', name: 'Terraform' },
];
