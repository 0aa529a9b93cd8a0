import { didYouMean } from '../contract/did-you-mean.ts';
import { eventTypes } from '../contract/generated/events.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import type { FieldError } from '../contract/outcome.ts';
import { validator } from '../contract/validators.ts';

/** What a body says, and what of it the contract of events does not allow. @param at a JSON pointer to it in the request, put before those of the errors. */
export function contractProblems(body: string, at: string): { event: unknown; errors: readonly FieldError[] } {
  let event: unknown;
  try {
    event = JSON.parse(body);
  } catch (error) {
    return { event: undefined, errors: [{ pointer: at, message: `is not JSON (${(error as Error).message})` }] };
  }
  return { event, errors: problemsOf(event).map(({ pointer, message }) => ({ pointer: at + pointer, message })) };
}

function problemsOf(event: unknown): readonly FieldError[] {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return [{ pointer: '', message: 'must be a JSON object' }];
  const { type } = event as { readonly type?: unknown };
  const known = eventTypes.find((name) => name === type);
  if (known !== undefined) return validator(schemaReferences.events[known])(event);
  if (type === undefined) return [{ pointer: '/type', message: 'is missing' }];
  const near = typeof type === 'string' ? didYouMean(type, eventTypes) : '';
  return [
    { pointer: '/type', message: `must be one of ${eventTypes.join(', ')}, not ${JSON.stringify(type)}${near && ` (${near.trim()})`}` },
  ];
}
