// Machine-written by `npm run generate` from openapi/openapi.yaml, openapi/asyncapi.yaml, openapi/authorization.yaml, openapi/control.yaml. Do not edit.
import collections from './schemas.json' with { type: 'json' };

export interface SchemaCollection {
  readonly $id: string;
  /**
   * JSON Schemas (2020-12) by name; all references stay in the collection. `x-rule` is the rule or the open point that a failing keyword
   * breaks; `x-message` says what would be right.
   */
  readonly $defs: Readonly<Record<string, object>>;
}

/** The collection of each document. */
export const schemas = collections as Readonly<Record<'openapi' | 'asyncapi' | 'authorization' | 'control', SchemaCollection>>;
