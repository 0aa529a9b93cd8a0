import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../../../src/contract/generated/schema-references.ts';
import { schemas } from '../../../../src/contract/generated/schemas.ts';
import { OPERATION_IDS } from '../exchange.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly then?: Schema;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly exclusiveMinimum?: number;
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly 'x-rule'?: string | Readonly<Record<string, string>>;
}

export function createSchemaResolver(document: keyof typeof schemas) {
  const findDefinition = (name: string): Schema => resolve((schemas[document].$defs as Readonly<Record<string, Schema>>)[name] ?? {});

  function resolve(schema: Schema): Schema {
    const { $ref, ...own } = schema;
    const base = $ref === undefined ? own : { ...findDefinition($ref.slice($ref.lastIndexOf('/') + 1)), ...own };
    const parts = (base.allOf ?? []).map(resolve);
    return {
      ...base,
      required: [base.required ?? [], ...parts.map(({ required = [] }) => required)].flat(),
      properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties), base.properties),
    };
  }

  return { definition: findDefinition, resolve };
}

export const api = createSchemaResolver('openapi');

export const TARGET_TYPES = api.definition('TargetType').enum ?? [];

export function findSuccess(operation: OperationId): { readonly status: number | string; readonly schema: Schema | undefined } {
  const status = operations[operation].successStatus;
  const $ref = (schemaReferences.responses[operation] as Readonly<Record<number | string, string>>)[status];
  return { status, schema: $ref === undefined ? undefined : api.resolve({ $ref }) };
}

/** The operations that return pages. */
export const LISTS = OPERATION_IDS.filter((operation) => findSuccess(operation).schema?.properties?.pageSize !== undefined);

/** Returns the fewest pairs that contain every element of both lists. */
export function createPairs<First, Second>(first: readonly First[], second: readonly Second[]): (readonly [First, Second])[] {
  const length = first.length === 0 || second.length === 0 ? 0 : Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [first[index % first.length] as First, second[index % second.length] as Second]);
}
