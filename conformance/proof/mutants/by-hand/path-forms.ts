import { type OperationId, operations, type PathForm } from '../../../../src/contract/generated/operations.ts';
import { bodyOf, idOf, isSuccess, problem, type Request, withEntities } from '../exchange.ts';
import { answerInstead, type ByHand, type Start } from '../mutant.ts';
import { EVENTS, lose } from './events-causes.ts';
import { ASSIGNMENTS, CONNECTIONS, repeatFirst } from './resources.ts';

const OPERATIONS = Object.keys(operations) as OperationId[];
const hasOneForm = (operation: OperationId): boolean => operations[operation].forms.prefixed === operations[operation].forms.flat;

const isWrite = ({ method }: Request): boolean => method !== 'GET';

/** Answers some requests to paths of this form, or to those of the operations that have one form, with 404. */
const notServed = (form: PathForm) => {
  const lose = (isLost: (request: Request) => boolean) =>
    answerInstead(
      OPERATIONS.filter((operation) => !hasOneForm(operation)),
      (request) => (request.form === form && isLost(request) ? problem(404) : undefined),
    );
  return {
    [`Serves no ${form} path.`]: lose(() => true),
    [`Serves ${form} paths of lists only.`]: lose((request) => idOf(request) !== ''),
    [`Changes and deletes nothing under ${form} paths.`]: lose(({ method }) => method === 'PUT' || method === 'DELETE'),
    'Serves no path of users.': answerInstead(OPERATIONS.filter(hasOneForm), () => problem(404)),
  };
};

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

export const pathForms = {
  'http.path-forms.same-operation': {
    'Updates and deletes only under the form that the entity was created under.': separate(isWrite),
    'Reads an entity only under the form that it was created under.': separate((request) => !isWrite(request) && idOf(request) !== ''),
    'Lists under each form what was created under it.': separate((request) => idOf(request) === ''),
    'Shows an entity under each path as it was first read there.': repeatFirst([ASSIGNMENTS.get, CONNECTIONS.get]),
    ...Object.fromEntries(
      (['prefixed', 'flat'] as const).map((form) => [
        `Publishes no assignments that are created under ${form} paths.`,
        lose(EVENTS.createExperienceAssignment, (known) => known.form === form),
      ]),
    ),
  },
  'http.path-forms.prefixed-served': notServed('prefixed'),
  'http.path-forms.flat-served': notServed('flat'),
} satisfies ByHand;
