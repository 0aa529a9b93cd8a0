import type { Request, Response } from 'express';
import { createGateFailure } from '../contract/failure.ts';
import { type Addresses, getBaseUrl } from '../oauth/server/metadata.ts';
import { sendFailure } from './problem.ts';

/** The kit's address in the published documents. */
const DOCUMENTED_URL = 'http://127.0.0.1:4010';

/**
 * Sends a document that contains the kit's address, as YAML if the path ends with `.yaml`.
 * @param known the query parameters that select a document; others are refused
 */
export async function sendDocument(req: Request, res: Response, document: object, addresses: Addresses, known: readonly string[] = []) {
  const unknown = [...new URL(req.url, DOCUMENTED_URL).searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const detail = `${req.path} has no query parameter "${unknown}".`;
    return sendFailure(res, createGateFailure('http.unknown-parameter', detail));
  }
  const address = JSON.stringify(getBaseUrl(req, addresses)).slice(1, -1);
  const addressed = JSON.parse(JSON.stringify(document).replaceAll(DOCUMENTED_URL, address)) as object;
  if (req.path.endsWith('.yaml')) res.type('application/yaml').send(await formatYaml(addressed));
  else res.json(addressed);
}

/** Quotes strings such as dates, which a YAML 1.1 parser would not read as strings. */
export async function formatYaml(document: object): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
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
