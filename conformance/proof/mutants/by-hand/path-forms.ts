import { type OperationId, operations, type PathForm } from '../../../../src/contract/generated/operations.ts';
import { changeEntities, createProblemReply, isSuccess, parseBody, type Request, readPathId } from '../exchange.ts';
import { handleRequests, type MutantsByRule, replaceReply, type StartMutant } from '../mutant.ts';
import { ASSIGNMENTS, repeatFirstReply } from './resources.ts';

const OPERATIONS = Object.keys(operations) as OperationId[];
const hasOneForm = (operation: OperationId): boolean => operations[operation].forms.prefixed === operations[operation].forms.flat;

const isWrite = ({ method }: Request): boolean => method !== 'GET';

const createPathFormMutants = (form: PathForm) => ({
  ...Object.fromEntries(
    ['GET', 'POST', 'PUT', 'DELETE'].map((method) => [
      `Answers 404 to ${method} requests under ${form} paths.`,
      replaceReply(
        OPERATIONS.filter((operation) => !hasOneForm(operation)),
        (request) => (request.form === form && request.method === method ? createProblemReply(404) : undefined),
      ),
    ]),
  ),
  'Answers 404 to the users operations.': replaceReply(OPERATIONS.filter(hasOneForm), () => createProblemReply(404)),
});

/** A mutant in which the selected requests to prefixed paths do not find entities that were created through flat paths, and vice versa. */
function separatePathForms(isSelected: (request: Request) => boolean): StartMutant {
  return () => {
    const formOf = new Map<unknown, Request['form']>();
    return handleRequests('any', async (request, service) => {
      const isHidden = (id: unknown) => isSelected(request) && formOf.has(id) && formOf.get(id) !== request.form;
      if (isHidden(readPathId(request))) return createProblemReply(404);
      const reply = await service(request);
      if (!isSuccess(reply)) return reply;
      if (request.method === 'POST') formOf.set(parseBody(reply).id, request.form);
      const isList = Array.isArray(parseBody(reply).entities);
      return isList ? changeEntities(reply, (entities) => entities.filter(({ id }) => !isHidden(id))) : reply;
    })();
  };
}

export const pathForms = {
  'http.path-forms.same-operation': {
    'Updates and deletes an entity only under the path form under which it was created.': separatePathForms(isWrite),
    'Reads an entity only under the path form under which it was created.': separatePathForms(
      (request) => !isWrite(request) && readPathId(request) !== '',
    ),
    'Lists an entity only under the path form under which it was created.': separatePathForms((request) => readPathId(request) === ''),
    'Repeats the first reply to a prefixed or flat path, even if the entity was changed under the other path form.': repeatFirstReply(
      ASSIGNMENTS.get,
    ),
  },
  'http.path-forms.prefixed-served': createPathFormMutants('prefixed'),
  'http.path-forms.flat-served': createPathFormMutants('flat'),
} satisfies MutantsByRule;
