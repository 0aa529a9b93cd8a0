import type { IncomingMessage } from 'node:http';
import { type Addresses, baseUrlOf } from '../oauth/server/metadata.ts';

/** The address of a kit in the documents of the contract. */
const DEFAULT_URL = 'http://127.0.0.1:4010';

/** Returns a document of the contract with the address of this kit in its servers and OAuth URLs. */
export function withAddress(document: object, req: IncomingMessage, addresses: Addresses): object {
  return JSON.parse(JSON.stringify(document).replaceAll(DEFAULT_URL, JSON.stringify(baseUrlOf(req, addresses)).slice(1, -1)));
}

interface Paths {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly 'x-operation'?: string }>>>>;
}

/** Returns the document of the service with only one path for each operation, which has the operationId of the contract. */
export function withOneForm<Document extends Paths>(document: Document, form: 'prefixed' | 'flat'): Document {
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
