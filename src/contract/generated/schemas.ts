// Machine-written by `npm run generate` from openapi/openapi.yaml, openapi/asyncapi.yaml, openapi/authorization.yaml, openapi/control.yaml. Do not edit.
import collections from './schemas.json' with { type: 'json' };

export interface SchemaCollection {
  readonly $id: string;
  /**
   * JSON Schemas (2020-12) by name. A reference never points out of the collection. If a keyword with an `x-rule` fails, the value breaks
   * the rule or the decision with that id. `x-message` describes the valid values.
   */
  readonly $defs: Readonly<Record<string, object>>;
}

/** The collection of each document. */
export const schemas = collections as Readonly<Record<'openapi' | 'asyncapi' | 'authorization' | 'control', SchemaCollection>>;
