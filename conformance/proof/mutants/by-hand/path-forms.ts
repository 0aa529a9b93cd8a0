import { type OperationId, operations, type PathForm } from '../../../../src/contract/generated/operations.ts';
import { createProblemReply, OPERATION_IDS } from '../exchange.ts';
import { type MutantsByRule, replaceReply } from '../mutant.ts';
import { ASSIGNMENTS, repeatFirstReply } from './resources.ts';

const hasOneForm = (operation: OperationId): boolean => operations[operation].forms.prefixed === operations[operation].forms.flat;

const createPathFormMutants = (form: PathForm) => ({
  ...Object.fromEntries(
    ['GET', 'POST', 'PUT', 'DELETE'].map((method) => [
      `Answers 404 to ${method} requests under ${form} paths.`,
      replaceReply(
        OPERATION_IDS.filter((operation) => !hasOneForm(operation)),
        (request) => (request.form === form && request.method === method ? createProblemReply(404) : undefined),
      ),
    ]),
  ),
  'Answers 404 to the users operations.': replaceReply(OPERATION_IDS.filter(hasOneForm), () => createProblemReply(404)),
});

export const pathForms = {
  'http.path-forms.same-operation': {
    'Repeats the first reply to a prefixed or flat path, even if the entity was changed under the other path form.': repeatFirstReply(
      ASSIGNMENTS.get,
    ),
  },
  'http.path-forms.prefixed-served': createPathFormMutants('prefixed'),
  'http.path-forms.flat-served': createPathFormMutants('flat'),
} satisfies MutantsByRule;
