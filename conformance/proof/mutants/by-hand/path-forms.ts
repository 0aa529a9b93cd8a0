import { type OperationId, operations, type PathForm } from '../../../../src/contract/generated/operations.ts';
import { bodyOf, idOf, isSuccess, problem, type Request, withEntities } from '../exchange.ts';
import { answerInstead, type ByHand, type Start } from '../mutant.ts';
import { EVENTS, lose } from './events-causes.ts';
import { ASSIGNMENTS, CONNECTIONS, repeatFirst } from './resources.ts';

const OPERATIONS = Object.keys(operations) as OperationId[];
const hasOneForm = (operation: OperationId): boolean => operations[operation].forms.prefixed === operations[operation].forms.flat;

const isWrite = ({ method }: Request): boolean => method !== 'GET';

/**
 * Mutants that answer with 404 to some requests. The requests have paths of the given form, or belong to operations that have only one
 * path.
 */
const notServed = (form: PathForm) => {
  const lose = (isLost: (request: Request) => boolean) =>
    answerInstead(
      OPERATIONS.filter((operation) => !hasOneForm(operation)),
      (request) => (request.form === form && isLost(request) ? problem(404) : undefined),
    );
  return {
    [`Serves no ${form} path.`]: lose(() => true),
    [`Serves only lists and creations under ${form} paths.`]: lose((request) => idOf(request) !== ''),
    [`Answers 404 to updates and deletions under ${form} paths.`]: lose(({ method }) => method === 'PUT' || method === 'DELETE'),
    'Does not serve the paths of users.': answerInstead(OPERATIONS.filter(hasOneForm), () => problem(404)),
  };
};

/**
 * A mutant that separates the path forms. A request that `isMeant` selects cannot see the entities that were created under the other path
 * form.
 */
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

export const pathForms = {
  'http.path-forms.same-operation': {
    'Updates and deletes an entity only under the path form that it was created under.': separate(isWrite),
    'Reads an entity only under the path form that it was created under.': separate((request) => !isWrite(request) && idOf(request) !== ''),
    'Lists under each path form only entities that were created under this form.': separate((request) => idOf(request) === ''),
    'Repeats the first reply to each path, although the entity was changed under the other path.': repeatFirst([
      ASSIGNMENTS.get,
      CONNECTIONS.get,
    ]),
    ...Object.fromEntries(
      (['prefixed', 'flat'] as const).map((form) => [
        `Publishes no event about assignments that are created under ${form} paths.`,
        lose(EVENTS.createExperienceAssignment, (known) => known.form === form),
      ]),
    ),
  },
  'http.path-forms.prefixed-served': notServed('prefixed'),
  'http.path-forms.flat-served': notServed('flat'),
} satisfies ByHand;
