/** Uses openapi-typescript to generate the documents' TypeScript types. */
import openapiTS, { astToString } from 'openapi-typescript';
import type { Json } from './documents.ts';
import { removeConditions } from './schema-view.ts';
import { formatBanner } from './write-typescript.ts';

/** Members with a default become optional. An object schema without properties accepts any members. */
const options = {
  alphabetize: false,
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  rootTypesKeepCasing: true,
};

export async function writeTypes(document: Json, source: string, immutable = false): Promise<string> {
  const ast = await openapiTS(JSON.stringify(removeConditions(document)), { ...options, immutable });
  return `${formatBanner(source)}${astToString(ast).replaceAll(/^ {4}(?: {4})*/gm, (indent) => indent.slice(indent.length / 2))}`;
}

const writeSchemaTypesOnly = (schemas: Json, source: string, immutable = false) =>
  writeTypes({ openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } }, source, immutable);

export function writeEventTypes({ components }: Json, source: string): Promise<string> {
  return writeSchemaTypesOnly(components.schemas, source);
}

export function writeSchemaTypes(name: string, { $defs = {}, ...schema }: Json, source: string): Promise<string> {
  return writeSchemaTypesOnly(
    JSON.parse(JSON.stringify({ [name]: schema, ...$defs }).replaceAll('#/$defs/', '#/components/schemas/')),
    source,
    true,
  );
}
