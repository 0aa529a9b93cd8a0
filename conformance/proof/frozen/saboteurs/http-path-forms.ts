import { type OperationId, operations } from '../../../../src/contract/generated/operations.ts';
import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { dataIn } from '../delivered.ts';
import { bodyOf, isSuccess, type Json, problem, type Request, success, withEntities } from '../exchange.ts';
import {
  ACKNOWLEDGED,
  atBothBoundaries,
  insteadOf,
  reddening,
  remembering,
  type Saboteur,
  type SaboteursOf,
  saboteur,
} from '../saboteur.ts';

const OPERATIONS = Object.keys(operations) as OperationId[];
const hasForms = (operation: OperationId): boolean => operations[operation].forms.prefixed !== operations[operation].forms.flat;
const USERS = OPERATIONS.filter((operation) => !hasForms(operation));
const ABOUT_ONE = OPERATIONS.filter((operation) => hasForms(operation) && /Experience(Assignment|Connection)$/.test(operation));
const LISTS = ['getExperienceAssignments', 'getExperienceConnections'] as const;

const isUnder = (form: Request['form'], request: Request): boolean =>
  request.operation !== undefined && hasForms(request.operation) && request.form === form;
const idOf = ({ path }: Request): string | undefined => path.assignmentId ?? path.experienceConnectionId;
const isChange = ({ method }: Request): boolean => method === 'PUT' || method === 'DELETE';
const isWrite = ({ method }: Request): boolean => method !== 'GET';

/** A server that does so with what was created under one form and is asked for under the other. */
function betweenForms(does: string, concerns: (request: Request) => boolean): Saboteur {
  return remembering(does, () => {
    const madeUnder = new Map<string, Request['form']>();
    return async (request, service) => {
      const id = idOf(request);
      const isForeign = (made: string | undefined) => madeUnder.has(made ?? '') && madeUnder.get(made ?? '') !== request.form;
      if (id !== undefined && concerns(request) && isForeign(id)) return problem(404);
      const reply = await service(request);
      if (!isSuccess(reply)) return reply;
      if (request.method === 'POST') madeUnder.set(bodyOf(reply).id, request.form);
      if (LISTS.some((list) => list === request.operation) && concerns(request))
        return withEntities(reply, (entities) => entities.filter((entity) => !isForeign(entity.id)));
      return reply;
    };
  });
}

/** A server that publishes nothing of what is created, changed and deleted under the form that it met second. */
const publishingUnderOne = (does: string): Saboteur =>
  atBothBoundaries(does, () => {
    let first: Request['form'];
    const silent = new Set<string>();
    const answered = new Set<Promise<unknown>>();
    return {
      requests(request, service) {
        if (isWrite(request)) first ??= request.form;
        const reply = service(request);
        const seen = reply.then((known) => {
          if (request.method === 'POST' && isSuccess(known) && request.form !== first) silent.add(bodyOf(known).id);
        });
        answered.add(seen.catch(() => undefined));
        return seen.then(() => reply);
      },
      async deliveries(delivery, subscriber) {
        // An event may be there before the answer to what caused it.
        await Promise.all(answered);
        const { connectionId, assignmentId } = dataIn(delivery);
        return silent.has(connectionId ?? assignmentId) ? ACKNOWLEDGED : subscriber(delivery);
      },
    };
  });

/** A server that answers the paths of one form so, whatever else it can do. */
const underForm = (does: string, form: 'prefixed' | 'flat', answer: (request: Request) => ReturnType<typeof problem>): Saboteur =>
  insteadOf(does, 'any', (request) => (isUnder(form, request) ? answer(request) : undefined));

/** As the other checks ask under the prefixed form, they get nowhere. */
const reddeningAll = (server: Saboteur): Saboteur => reddening(500, 'all other rules are checked under the prefixed form', server);

const startPage = () => ({ ...success(200), headers: { 'content-type': 'text/html' }, text: '<html><body>Welcome</body></html>' });

const usersElsewhere = (does: string): Saboteur =>
  insteadOf(does, USERS, ({ url }) => (url.startsWith('/users') ? problem(404) : undefined));

/** Servers that break one rule of the two forms of paths each. */
export const httpPathForms: SaboteursOf<Extract<TestableRuleId['openapi'], `http.path-forms.${string}`>> = {
  'http.path-forms.same-operation': [
    betweenForms('Has a store for each form: what was created under one is unknown under the other.', () => true),
    betweenForms('Deletes and updates only under the form that the entity was created under.', isWrite),
    betweenForms(
      'Reads one entity only under the form that it was created under.',
      (request) => !isWrite(request) && idOf(request) !== undefined,
    ),
    betweenForms('Lists under each form only what was created under it.', (request) => idOf(request) === undefined),
    remembering('Reads under one form for ever as it was when it was read there first, whatever is done under the other.', () => {
      const seen = new Map<string, Awaited<ReturnType<typeof success>>>();
      return async (request, service) => {
        if (request.operation === undefined || !ABOUT_ONE.includes(request.operation)) return service(request);
        const key = (form: Request['form']) => `${form} ${idOf(request)}`;
        const reply = await service(request);
        if (isWrite(request)) {
          seen.delete(key(request.form));
          return reply;
        }
        const known = seen.get(key(request.form));
        if (known === undefined && isSuccess(reply)) seen.set(key(request.form), reply);
        return known ?? reply;
      };
    }),
    publishingUnderOne('Publishes what is written under one form, and nothing of what is written under the other.'),
    saboteur('Has other ids under the flat form.', ABOUT_ONE, (reply, request) =>
      isUnder('flat', request) && isSuccess(reply) && reply.text !== '' ? { ...reply, text: otherId(bodyOf(reply)) } : undefined,
    ),
  ],
  'http.path-forms.prefixed-served': [
    reddening(
      60,
      'what is changed or deleted in other checks is so under the prefixed form',
      insteadOf('Reads and creates under /experience, and does nothing else there.', ABOUT_ONE, (request) =>
        isUnder('prefixed', request) && isChange(request) ? problem(405) : undefined,
      ),
    ),
    reddeningAll(
      insteadOf('Has lists under /experience, and their entities without it.', ABOUT_ONE, (request) =>
        isUnder('prefixed', request) && idOf(request) !== undefined ? problem(404) : undefined,
      ),
    ),
    reddeningAll(underForm('Knows no path that begins with /experience.', 'prefixed', () => problem(404))),
    reddening(60, 'nothing of users is reached', usersElsewhere('Has the users under /experience/users only.')),
  ],
  'http.path-forms.flat-served': [
    underForm('Knows no flat path but those of users.', 'flat', () => problem(404)),
    underForm('Redirects flat paths to the prefixed form.', 'flat', ({ operation, path, url }) => ({
      ...success(308),
      headers: { location: prefixed(operation, path) + (url.includes('?') ? url.slice(url.indexOf('?')) : '') },
    })),
    underForm('Answers flat paths with its start page.', 'flat', startPage),
    insteadOf('Has flat paths for lists, and none for their entities.', ABOUT_ONE, (request) =>
      isUnder('flat', request) && idOf(request) !== undefined ? problem(404) : undefined,
    ),
    insteadOf('Reads and creates under the flat form, and does nothing else there.', ABOUT_ONE, (request) =>
      isUnder('flat', request) && isChange(request) ? problem(405) : undefined,
    ),
    reddening(60, 'nothing of users is reached', usersElsewhere('Has the users under /flat/users only.')),
  ],
};

function prefixed(operation: OperationId | undefined, path: Request['path']): string {
  return operation === undefined
    ? '/'
    : operations[operation].forms.prefixed.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
}

function otherId(entity: Json): string {
  return JSON.stringify({ ...entity, id: `flat-${entity.id}` });
}
