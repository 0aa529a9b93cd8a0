import { LISTS } from '../derived/schema.ts';
import { changeData, changeMembers, createProblemReply, isSuccess, isType, parseBody, readData } from '../exchange.ts';
import { changeSuccess, handleDeliveries, handleRequests, type MutantsByRule, type StartMutant } from '../mutant.ts';
import { generateId } from './events-content.ts';
import { ASSIGNMENTS, CONNECTIONS, repeatFirstReply } from './resources.ts';

// Mutants that are right about each entity that a request is about, and wrong about others.

const forgetOthersEntities =
  ({ create, get }: typeof ASSIGNMENTS | typeof CONNECTIONS): StartMutant =>
  () => {
    const own = new Set<unknown>();
    return handleRequests([create, get], async (request, service) => {
      if (request.operation === get && !own.has(request.id)) return createProblemReply(404);
      const reply = await service(request);
      if (request.operation === create && isSuccess(reply)) own.add(parseBody(reply).id);
      return reply;
    })();
  };

const updateAllConnections: StartMutant = () => {
  let state: unknown;
  return changeSuccess([CONNECTIONS.update, CONNECTIONS.get], (reply, { request }) => {
    if (request.operation === CONNECTIONS.update) ({ state } = parseBody(request));
    return state === undefined ? undefined : changeMembers(reply, { state });
  })();
};

const unassignEverything: StartMutant = () => {
  const { get, remove } = ASSIGNMENTS;
  const seen = new Set<unknown>();
  const gone = new Set<unknown>();
  return handleRequests([get, remove], async (request, service) => {
    const { id } = request;
    if (request.operation === get && gone.has(id)) return createProblemReply(404);
    const reply = await service(request);
    if (request.operation === get && isSuccess(reply)) seen.add(id);
    if (request.operation === remove && isSuccess(reply)) for (const each of seen) gone.add(each);
    return reply;
  })();
};

const announceOthers: StartMutant = () => {
  const seen = new Set<unknown>();
  return handleDeliveries(async (delivery, subscriber) => {
    const { connectionId } = readData(delivery);
    const other = [...seen].find((id) => id !== connectionId);
    if (isType(delivery, 'experience.connection.created')) seen.add(connectionId);
    if (isType(delivery, 'experience.connection.deleted')) seen.delete(connectionId);
    if (other && isType(delivery, 'experience.connection.activated', 'experience.connection.deactivated'))
      await subscriber(changeData(generateId(delivery), { connectionId: other }));
    return subscriber(delivery);
  })();
};

export const exploration: MutantsByRule = {
  'connections.get.found': { 'Connections that others created cannot be read.': forgetOthersEntities(CONNECTIONS) },
  'assignments.get.found': { 'Assignments that others created cannot be read.': forgetOthersEntities(ASSIGNMENTS) },
  'connections.only-changed': { 'An update changes all connections.': updateAllConnections },
  'assignments.only-changed': { 'A deletion deletes all assignments.': unassignEverything },
  'assignability.current': { 'The first answer about a target is repeated.': repeatFirstReply('getExperienceAssignability') },
  'http.pages.page-size-of-page': {
    'pageSize is always 100.': changeSuccess(LISTS, (reply) => changeMembers(reply, { pageSize: 100 })),
  },
  'events.publish.only-changes': { "A connection's change is announced for another connection, too.": announceOthers },
};
