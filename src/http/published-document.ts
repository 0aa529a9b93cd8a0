import type { IncomingMessage } from 'node:http';
import { type Addresses, getBaseUrl } from '../oauth/server/metadata.ts';

/** The kit's address in the published OpenAPI and AsyncAPI documents. */
const DOCUMENTED_URL = 'http://127.0.0.1:4010';

export function setAddress(document: object, req: IncomingMessage, addresses: Addresses): object {
  return JSON.parse(JSON.stringify(document).replaceAll(DOCUMENTED_URL, JSON.stringify(getBaseUrl(req, addresses)).slice(1, -1)));
}

interface OpenApiPaths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly 'x-operation'?: string }>>>>;
}

export function selectPathForm<Document extends OpenApiPaths>(document: Document, form: 'prefixed' | 'flat'): Document {
  const entries = Object.entries(document.paths).filter(([path, item]) => {
    const isFlat = Object.values(item).some((operation) => 'x-operation' in operation);
    return form === 'prefixed' ? !isFlat : !path.startsWith('/experience/');
  });
  const renamed = entries.map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => {
        const { 'x-operation': operationId = operation.operationId, ...others } = operation;
        return [method, { ...others, operationId }];
      }),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(renamed) };
}
