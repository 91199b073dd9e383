/**
 * Writes `src/api/generated.ts`, which is not committed: the types of the OpenAPI document, a function for each operation, and
 * the URLs of those that read. Builds, checks and tests do this first, because it takes a moment only.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath, URL } from 'node:url';

const FILE = fileURLToPath(new URL('../src/api/generated.ts', import.meta.url));
const DOCUMENT = new URL('../../contracts/openapi.json', import.meta.url);

export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly (string | null)[];
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  readOnly?: boolean;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description?: string;
  required?: boolean;
  schema: Schema;
}

type Content = Readonly<Record<string, { schema?: Schema }>>;

interface Operation {
  operationId: string;
  summary: string;
  parameters?: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Readonly<Record<string, { content?: Content }>>;
}

export interface OpenApi {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, Schema>> };
}

const HEADER = `/** Types and operations of the API. Written by \`build/api.ts\`, not committed. */
import type { RequestOptions } from './http';
import { path, request, withQuery } from './request';
`;

/** The content of the file. */
export function client({ paths, components }: OpenApi): string {
  const types = Object.entries(components.schemas).map(([name, schema]) => declaration(name, schema));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationText(path, method, operation)),
  );
  return [HEADER, ...types, ...operations].join('\n');
}

function declaration(name: string, schema: Schema): string {
  const description = comment(schema.description);
  const type = typeOf(schema);
  if (schema.type === 'object' && schema.properties)
    return `${description}export interface ${name} ${type}\n`;
  const values = schema.enum?.filter((value) => value !== null) ?? [];
  // The values at run time, under the name of the type.
  const constants = values.map((value) => `  ${key(value)}: ${JSON.stringify(value)},\n`).join('');
  const constant = constants && `export const ${name} = {\n${constants}} as const;\n`;
  return `${description}export type ${name} = ${type};\n${constant}`;
}

/** The type of a schema. Fields that requests ignore are left out. */
function typeOf(schema: Schema): string {
  if (schema.$ref) return nameIn(schema.$ref);
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(' | ');
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (!schema.type) return 'unknown';
  return [schema.type]
    .flat()
    .map((type) => typeNamed(type, schema))
    .join(' | ');
}

function typeNamed(type: string, schema: Schema): string {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items ?? {});
      return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`;
    }
    case 'object':
      return objectType(schema);
    default:
      return schema.format === 'binary' ? 'Blob' : type;
  }
}

function objectType({ properties, required = [], additionalProperties = true }: Schema): string {
  if (!properties) {
    if (additionalProperties === false) return 'Record<string, never>';
    return `Record<string, ${additionalProperties === true ? 'unknown' : typeOf(additionalProperties)}>`;
  }
  const fields = Object.entries(properties)
    .filter(([, field]) => !field.readOnly)
    .map(([name, field]) => fieldText(name, field, required.includes(name), field.description));
  return `{\n${fields.join('')}}`;
}

function fieldText(name: string, schema: Schema, isRequired: boolean, description?: string): string {
  return `${comment(description)}${key(name)}${isRequired ? '' : '?'}: ${typeOf(schema)};\n`;
}

function operationText(path: string, method: string, operation: Operation): string {
  const { operationId: name, summary, parameters = [], requestBody, responses } = operation;
  const Name = name.charAt(0).toUpperCase() + name.slice(1);
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const location = inPath.length > 0 ? `path\`${path.replaceAll('{', '${')}\`` : JSON.stringify(path);
  const url = query.length > 0 ? `withQuery(${location}, params)` : location;
  const pathArguments = inPath.map((parameter) => `${parameter.name}: ${typeOf(parameter.schema)}`);
  const isOptional = !query.some(({ required }) => required);
  const queryArguments = query.length > 0 ? [`params${isOptional ? '?' : ''}: ${Name}Params`] : [];
  const parts: string[] = [];
  if (query.length > 0) {
    const fields = query.map((parameter) =>
      fieldText(parameter.name, parameter.schema, parameter.required ?? false, parameter.description),
    );
    parts.push(`export interface ${Name}Params {\n${fields.join('')}}\n`);
  }
  if (method === 'get') {
    const urlArguments = [...pathArguments, ...queryArguments].join(', ');
    parts.push(`export const ${name}Url = (${urlArguments}): string => ${url};\n`);
  }
  const answers = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const answer = answers.map(([, { content }]) => content?.['application/json']?.schema).find(Boolean);
  // Other responses, such as images and event streams, are not parsed.
  if (answer && answers.every(([, { content }]) => content)) {
    const bodySchema = requestBody && Object.values(requestBody.content)[0]?.schema;
    const body = bodySchema ? [`body: ${typeOf(bodySchema)}`] : [];
    const args = [...pathArguments, ...body, ...queryArguments, 'options?: RequestOptions'].join(', ');
    const passed = [JSON.stringify(method.toUpperCase()), url, 'options', ...(bodySchema ? ['body'] : [])];
    parts.push(
      `${comment(summary)}export const ${name} = async (${args}): Promise<${typeOf(answer)}> =>\n` +
        `  request(${passed.join(', ')});\n`,
    );
  }
  return parts.join('');
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function key(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}

function comment(text: string | undefined): string {
  return text ? `/** ${text.replaceAll('*/', '*\\/').replaceAll('\n', '\n * ')} */\n` : '';
}

/** Writes the file if it is out of date. A build and a check that run at the same time never read half of it. */
export function writeClient(): void {
  const content = client(JSON.parse(readFileSync(DOCUMENT, 'utf8')));
  if (current() === content) return;
  const temporary = `${FILE}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, FILE);
}

function current(): string | undefined {
  try {
    return readFileSync(FILE, 'utf8');
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeClient();
