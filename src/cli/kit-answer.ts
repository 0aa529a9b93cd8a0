import { type ControlOperationId, controlOperations } from '../contract/generated/control-operations.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { validator } from '../contract/validators.ts';

/** What a kit says, or how it shows that this is none. */
export type KitAnswer = { readonly body: unknown } | { readonly why: string };

const FORMS = Object.entries(controlOperations).map(
  ([id, { method, paths }]) => [id as ControlOperationId, method, new RegExp(`^${paths[0].replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

/**
 * Judges a success as control.yaml describes it. Any server may answer 2xx to all there is, such as the receiver of somebody's webhooks.
 *
 * @param path below `/_control`, with the query
 */
export function kitAnswer(method: string, path: string, { status, headers }: Response, text: string): KitAnswer {
  const asked = `${method} /_control${path.split('?', 1)[0]}`;
  const operation = operationOf(asked);
  const { statuses, successStatus } = controlOperations[operation];
  if (!(statuses as readonly unknown[]).includes(status))
    return { why: `it answers ${asked} with ${status}, and a kit with ${successStatus}` };
  const reference = (schemaReferences.responses[operation] as Readonly<Record<number, string | undefined>>)[status];
  const body = reference === undefined ? undefined : parsed(text);
  if (reference !== undefined) {
    if (body === undefined) return { why: `its answer to ${asked} is ${text.trim() === '' ? 'empty' : 'no JSON'}` };
    const wrong = misfit(reference, body);
    if (wrong !== undefined) return { why: `in its answer to ${asked} ${wrong}` };
  }
  // All answers of a kit have this header, and few of others have it alone. Whoever says more is known by that, also behind a proxy with its own mind.
  if (isAnybodys(body) && headers.get('cache-control') !== 'no-store')
    return { why: `its answer to ${asked} has no header Cache-Control: no-store` };
  return { body };
}

/** Nothing at all, or nothing in it. */
function isAnybodys(body: unknown): boolean {
  return typeof body !== 'object' || body === null || Object.keys(body).length === 0;
}

function operationOf(asked: string): ControlOperationId {
  const [method, path = ''] = asked.split(' ');
  const found = FORMS.find(([, verb, form]) => verb === method?.toLowerCase() && form.test(path));
  if (found === undefined) throw new Error(`control.yaml has no operation ${asked}`);
  return found[0];
}

/** What a verb would stumble over. What is new in a later version of the kit, such as another member, is none of it. */
function misfit(reference: string, body: unknown): string | undefined {
  const found = validator(reference)(body).find(({ keyword }) => keyword === 'type' || keyword === 'required');
  return found && `${found.pointer === '' ? 'the whole' : found.pointer.slice(1)} ${found.message}`;
}

/** Undefined where it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
