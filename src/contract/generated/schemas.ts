// Machine-written by `npm run generate` from openapi/openapi.yaml, openapi/asyncapi.yaml, openapi/authorization.yaml, openapi/control.yaml. Do not edit.
import collections from './schemas.json' with { type: 'json' };

export interface SchemaCollection {
  readonly $id: string;
  /** JSON Schema 2020-12; every reference stays inside the collection. `x-rule` names the rule or the open point that a failing keyword breaks, `x-message` what would be right. */
  readonly $defs: Readonly<Record<string, object>>;
}

/** One collection for each document. */
export const schemas = collections as Readonly<Record<'openapi' | 'asyncapi' | 'authorization' | 'control', SchemaCollection>>;
