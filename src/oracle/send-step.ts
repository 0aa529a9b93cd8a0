import { getServer, type Pair } from './pair.ts';
import type { Answer, SideIndex } from './side.ts';
import type { Step } from './steps.ts';

/**
 * Sends a step's request to one side, or makes its change there.
 * @param state the state of a connection that the twin creates, because a portal may choose it
 * @returns the answer, and the id in it; '' if it contains none
 */
export async function sendStep(
  pair: Pair,
  side: SideIndex,
  step: Step,
  state?: string,
): Promise<{ readonly answer: Answer; readonly id: string }> {
  const { names } = pair;
  const server = getServer(pair, side);
  if (step.action) {
    const { name, args } = names.resolve(side, step.action);
    try {
      return {
        answer: { status: 200, text: '', json: undefined },
        id: await server.act(name, state === undefined ? args : [...args, state]),
      };
    } catch (error) {
      // Omit what only the profile's author needs to know, such as the URL of a hook.
      const { message, cause } = error as Error;
      return { answer: { status: 409, text: cause instanceof Error ? cause.message : message, json: undefined }, id: '' };
    }
  }
  const { operation, body, ...request } = names.resolve(side, step.request!);
  const answer = await server.call(operation, {
    ...request,
    ...(body !== undefined && { body: { ...body, ...(state !== undefined && { state }) } }),
  });
  const { id } = (answer.json ?? {}) as { id?: unknown };
  return { answer, id: typeof id === 'string' ? id : '' };
}
