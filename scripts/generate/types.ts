/** TypeScript types of the documents' schemas and operations, by openapi-typescript. */
import openapiTS, { astToString } from 'openapi-typescript';
import { type JsonObject, objectAt } from './documents.ts';
import { typeView } from './type-view.ts';
import { banner } from './write-typescript.ts';

/** A default makes a member optional to whoever sends it; a schema that is only `type: object` says nothing of its members. */
const options = {
  alphabetize: false,
  defaultNonNullable: false,
  emptyObjectsUnknown: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  rootTypesKeepCasing: true,
};

export async function writeTypes(document: JsonObject, source: string): Promise<string> {
  const ast = await openapiTS(JSON.stringify(typeView(document)), options);
  return `${banner(source)}${astToString(ast).replaceAll(/^ {4}(?: {4})*/gm, (indent) => indent.slice(indent.length / 2))}`;
}

/** The types of the events: their schemas as a document of their own. */
export function writeEventTypes(document: JsonObject, source: string): Promise<string> {
  const schemas = objectAt(objectAt(document, 'components'), 'schemas');
  return writeTypes({ openapi: '3.1.0', info: objectAt(document, 'info'), paths: {}, components: { schemas } }, source);
}
