import type { Evidence } from '../../../contract/evidence.ts';
import { type Case, membersOf, pathValues, queryOf } from '../case.ts';
import { own } from '../view.ts';
import { statePath } from './access.ts';
import type { Change } from './change.ts';
import { withMembers, withPathValue, withQuery } from './edit.ts';
import { neededLevel, type Values, valuesFor } from './other-values.ts';
import { wholeBody } from './whole-body.ts';

/** More of the same sort would only try the same again. */
const MOST = 3;

/** Where an id or a number named nothing: others that name something the caller may use, or making it. */
export function somethingKnown(of: Case, { what, value }: Extract<Evidence, { cause: 'unknown' }>): Change[] {
  const { request, operationId, view } = of;
  const level = neededLevel(of);
  const inPath =
    operationId && Object.values(pathValues(operationId, request.path)).find((one) => one.toLowerCase() === value.toLowerCase());
  if (inPath !== undefined) {
    const ids = {
      user: () => view.users(level),
      assignment: () => view.assignments(level),
      connection: () => connectionsFor(of, level),
      experience: () => view.experiences(level),
      account: () => [],
      'telephone number': () => [],
    }[what]();
    const others = ids
      .slice(0, MOST)
      .map(({ alias, id }) => ({ ...withPathValue(request, inPath, id), text: `Ask for another ${what}, such as ${alias}: ${id}.` }));
    return [...others, ...made(of, what, value)];
  }
  return [...elsewhere(of, value), ...made(of, what, value)];
}

/** Where they are to be changed or removed, those first with which that can be done. */
function connectionsFor({ request, view, world }: Case, level: 'read' | 'manage') {
  const all = view.connections(level);
  if (request.method === 'PUT') {
    const wanted = membersOf(request.body)?.state;
    return all.filter(({ state }) => state !== wanted);
  }
  const numbers = Object.values(world.assignments ?? {}).filter(({ targetType }) => targetType === 'PHONE_NUMBER');
  const blocked = ({ account, experience }: (typeof all)[number]) =>
    numbers.some((one) => one.experience === experience && own(world.telephoneNumbers, one.target)?.account === account);
  return request.method === 'DELETE' ? all.filter((one) => !blocked(one)) : all;
}

/** Other values of the query's or the body's parameters that have this one. */
function elsewhere(of: Case, value: string): Change[] {
  const { request } = of;
  const inQuery = request.method === 'GET';
  const given: Values = inQuery ? Object.fromEntries(queryOf(request.path)) : (membersOf(request.body) ?? {});
  const name = Object.keys(given).find((one) => String(given[one]).toLowerCase() === value.toLowerCase());
  if (name === undefined) return [];
  const changes = valuesFor(of, name, given).map((other) =>
    inQuery ? withQuery(request, { [name]: other }) : withMembers(request, { [name]: other }),
  );
  const whole = inQuery ? undefined : wholeBody(of, given);
  return whole ? [...changes, withMembers(request, whole)] : changes;
}

/** The operator can make what is missing, but for what the service gives its id. */
function made({ view, who }: Case, what: Extract<Evidence, { cause: 'unknown' }>['what'], value: string): Change[] {
  const [account] = view.accounts('manage').length > 0 ? view.accounts('manage') : view.accounts('read');
  const bodies: Readonly<Record<string, readonly [collection: string, body: object | undefined]>> = {
    user: ['users', account && { account: account.alias }],
    'telephone number': ['telephoneNumbers', account && { account: account.alias }],
    experience: ['experiences', who.provider === undefined ? undefined : { provider: who.provider, name: 'New', type: 'GENERAL' }],
  };
  const [collection, body] = bodies[what] ?? [];
  if (collection === undefined || body === undefined) return [];
  return [{ text: `Create the ${what} ${value}.`, control: [{ method: 'PUT', path: statePath(collection, value), body }] }];
}

/** The unified id of whoever has an id of an unsupported style, else one of somebody in sight. */
export function unifiedId({ request, world, view }: Case, value: string): Change[] {
  const same = view.users('read').filter(({ alias }) => own(world.users, alias)?.nativeIds?.some(({ id }) => id === value));
  return [...same, ...view.users('read').slice(0, 1)].map(({ alias, id }) => ({
    ...withPathValue(request, value, id),
    text: `Ask by the unified id of ${alias}: ${id}.`,
  }));
}
