import type { operations } from '../contract/generated/control.ts';
import { controlTable } from '../contract/generated/control-table.ts';

export type ControlOperationId = keyof operations;

type Known<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>;
type Parameters<Id extends ControlOperationId> = operations[Id]['parameters'];
type Content<Part> = Part extends { readonly content: { readonly 'application/json': infer Body } } ? Body : never;
type Body<Id extends ControlOperationId> = Content<NonNullable<operations[Id]['requestBody']>>;
/** A body without documented members is the field `body`. */
type BodyFields<Id extends ControlOperationId> = Id extends 'loadState' | 'createEntities' | 'createEntity' | 'putEntity' | 'patchEntity'
  ? { readonly body: Body<Id> }
  : Known<Body<Id>>;

type Fields<Id extends ControlOperationId> = Known<Parameters<Id>['path']> &
  Known<Parameters<Id>['query']> &
  Known<Parameters<Id>['header']> &
  BodyFields<Id>;
/** The fields of an operation, wherever the request has them: path, query and header parameters, and the members of the body. */
export type OperationValues<Id extends ControlOperationId> = {
  readonly [Name in keyof Fields<Id>]: object extends Pick<Fields<Id>, Name> ? Fields<Id>[Name] | undefined : Fields<Id>[Name];
};

type Responses<Id extends ControlOperationId> = operations[Id]['responses'];
export type OperationResponse<Id extends ControlOperationId> = Content<Responses<Id>[keyof Responses<Id> & (200 | 201 | 202)]>;

type Send = (path: never, init: never) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;
/** A typed client, such as `createControlClient` or openapi-fetch returns. */
export type Caller = Readonly<Record<'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH', Send>>;

/** Calls an operation with its fields. Omits the fields that are undefined. */
export async function callOperation<Id extends ControlOperationId>(
  control: Caller,
  id: Id,
  values: OperationValues<Id>,
): Promise<{ readonly data?: OperationResponse<Id>; readonly error?: unknown; readonly response: Response }> {
  const { method, path, hasBody, fields } = controlTable[id];
  const parts: Record<string, Record<string, unknown>> = { path: {}, query: {}, header: {}, body: {} };
  let body: unknown = parts.body;
  for (const [name, value] of Object.entries(values as Record<string, unknown>)) {
    const field = fields[name];
    if (field === undefined) throw new Error(`The operation ${id} has no field "${name}".`);
    if (field.isWhole) body = value;
    else if (value !== undefined) parts[field.in]![name] = value;
  }
  const params = { path: parts.path, query: parts.query, header: parts.header };
  const send = control[method.toUpperCase() as keyof Caller];
  return send(path as never, { params, ...(hasBody && { body }) } as never) as never;
}
