import { type OperationId, operations, type PathForm } from '../../../../src/contract/generated/operations.ts';
import { dataOf } from '../delivery.ts';
import { bodyOf, isSuccess, problem, type Reply, type Request, success, withEntities, withMembers, withParameters } from '../exchange.ts';
import { ACKNOWLEDGED, answerInstead, type ByHand, changeReply, type Start } from '../mutant.ts';

const OPERATIONS = Object.keys(operations) as OperationId[];
const hasTwoForms = (operation: OperationId): boolean => operations[operation].forms.prefixed !== operations[operation].forms.flat;
const USERS = OPERATIONS.filter((operation) => !hasTwoForms(operation));
const OF_ONE_ENTITY = OPERATIONS.filter((operation) => hasTwoForms(operation) && /Experience(Assignment|Connection)$/.test(operation));

const isUnder = (form: PathForm, { operation, form: asked }: Request): boolean =>
  operation !== undefined && hasTwoForms(operation) && asked === form;
const idOf = ({ path }: Request): string | undefined => path.assignmentId ?? path.experienceConnectionId;
const isWrite = ({ method }: Request): boolean => method !== 'GET';

const answerUnder = (form: PathForm, answer: (request: Request) => Reply | undefined): Start =>
  answerInstead('any', (request) => (isUnder(form, request) ? answer(request) : undefined));
const usersElsewhere = answerInstead(USERS, ({ url }) => (url.startsWith('/users') ? problem(404) : undefined));

/** Hides entities that were created under the other path form from the requests that `isMeant` selects. */
function separate(isMeant: (request: Request) => boolean): Start {
  return () => {
    const formOf = new Map<unknown, Request['form']>();
    return {
      requests: async (request, service) => {
        const isHidden = (id: unknown) => isMeant(request) && formOf.has(id) && formOf.get(id) !== request.form;
        if (isHidden(idOf(request))) return problem(404);
        const reply = await service(request);
        if (!isSuccess(reply)) return reply;
        if (request.method === 'POST') formOf.set(bodyOf(reply).id, request.form);
        const isList = Array.isArray(bodyOf(reply).entities);
        return isList ? withEntities(reply, (entities) => entities.filter(({ id }) => !isHidden(id))) : reply;
      },
    };
  };
}

/** Shows an entity under each form as it was when it was first read there, whatever is written under the other. */
const cacheByForm: Start = () => {
  const cached = new Map<string, Reply>();
  return {
    requests: async (request, service) => {
      const reply = await service(request);
      if (idOf(request) === undefined) return reply;
      const key = `${request.form} ${idOf(request)}`;
      if (isWrite(request)) cached.delete(key);
      else if (isSuccess(reply) && !cached.has(key)) cached.set(key, reply);
      return (isWrite(request) ? undefined : cached.get(key)) ?? reply;
    },
  };
};

/** Loses the events of what is created under the form that is used second. */
const publishUnderOneForm: Start = () => {
  let first: Request['form'];
  const silent = new Set<unknown>();
  const pending = new Set<Promise<unknown>>();
  return {
    requests(request, service) {
      if (isWrite(request)) first ??= request.form;
      const reply = service(request).then((answered) => {
        if (request.method === 'POST' && isSuccess(answered) && request.form !== first) silent.add(bodyOf(answered).id);
        return answered;
      });
      pending.add(reply.catch(() => undefined));
      return reply;
    },
    async deliveries(delivery, subscriber) {
      await Promise.all(pending);
      const { connectionId, assignmentId } = dataOf(delivery);
      return silent.has(connectionId ?? assignmentId) ? ACKNOWLEDGED : subscriber(delivery);
    },
  };
};

export const pathForms = {
  'http.path-forms.same-operation': {
    'Has a store for each form.': separate(() => true),
    'Updates and deletes only under the form that the entity was created under.': separate(isWrite),
    'Reads an entity only under the form that it was created under.': separate(
      (request) => !isWrite(request) && idOf(request) !== undefined,
    ),
    'Lists under each form what was created under it.': separate((request) => idOf(request) === undefined),
    'Caches entities by form.': cacheByForm,
    'Publishes no events of what is created under one of the forms.': publishUnderOneForm,
    'Shows other ids under the flat form.': changeReply(OF_ONE_ENTITY, (reply, request) =>
      isUnder('flat', request) && isSuccess(reply) && reply.text !== ''
        ? withMembers(reply, { id: `flat-${bodyOf(reply).id}` })
        : undefined,
    ),
  },
  'http.path-forms.prefixed-served': {
    'Changes and deletes nothing under prefixed paths.': answerUnder('prefixed', ({ method }) =>
      /PUT|DELETE/.test(method) ? problem(405) : undefined,
    ),
    'Serves no prefixed path.': answerUnder('prefixed', () => problem(404)),
    'Serves prefixed paths of lists only.': answerUnder('prefixed', (request) => (idOf(request) === undefined ? undefined : problem(404))),
    'Serves users under /experience/users only.': usersElsewhere,
  },
  'http.path-forms.flat-served': {
    'Serves flat paths of lists only.': answerUnder('flat', (request) => (idOf(request) === undefined ? undefined : problem(404))),
    'Serves no flat path.': answerUnder('flat', () => problem(404)),
    'Redirects flat paths.': answerUnder('flat', (request) => ({
      ...success(308),
      headers: { location: withParameters({ ...request, form: 'prefixed' }, {}).url },
    })),
    'Changes and deletes nothing under flat paths.': answerUnder('flat', ({ method }) =>
      /PUT|DELETE/.test(method) ? problem(405) : undefined,
    ),
    'Serves users under /flat/users only.': usersElsewhere,
  },
} satisfies ByHand;
