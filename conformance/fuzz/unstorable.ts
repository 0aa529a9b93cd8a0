import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { schemaReferences } from '../../src/contract/generated/schema-references.ts';
import type { Late } from './known.ts';
import { percent } from './percent.ts';
import type { FuzzRequest } from './request.ts';

/** What one engine refuses to store and the other keeps. */
const TEXTS = ['\0', 'a\0b', '\ud800', 'x\udfff', '\udc00\ud800'];
const MEMBERS = ['experienceId', 'accountId', 'targetType', 'targetValue', 'state'];

/** Texts that not every engine can hold, alone in every place of every operation where a text can stand. */
export function* unstorable(): Generator<Late<FuzzRequest>> {
  for (const operationId of Object.keys(operations) as OperationId[]) {
    for (const text of TEXTS) yield* inEachPlace(operationId, text);
  }
}

function* inEachPlace(operationId: OperationId, text: string): Generator<Late<FuzzRequest>> {
  const { method, forms, pathParameters, queryParameters } = operations[operationId];
  const ask = (late: (good: Readonly<Record<string, string>>) => Partial<FuzzRequest>): Late<FuzzRequest> => {
    return ({ tokens, values }) => ({
      method: method.toUpperCase(),
      target: forms.flat,
      headers: [
        ['Authorization', `Bearer ${tokens.manager[0]}`],
        ['Content-Type', 'application/json'],
      ],
      body: undefined,
      ...late({
        accountId: values.accounts[0]!,
        experienceId: values.experiences[0]!,
        targetType: 'PHONE_NUMBER',
        targetValue: values.telephoneNumbers[0]!,
        state: 'ACTIVE',
      }),
    });
  };
  if (pathParameters.length > 0) {
    yield ask(() => ({ target: forms.flat.replace(/\{\w+\}/, percent(text)), body: Buffer.from('{"state":"ACTIVE"}') }));
  }
  for (const name of queryParameters) {
    yield ask((good) => {
      const others = queryParameters.filter((other) => other in good && other !== name).map((other) => `${other}=${percent(good[other]!)}`);
      return { target: `${forms.flat.replace(/\{\w+\}/, good.experienceId!)}?${[...others, `${name}=${percent(text)}`].join('&')}` };
    });
  }
  if (!(operationId in schemaReferences.requests)) return;
  for (const name of MEMBERS) yield ask((good) => ({ body: Buffer.from(JSON.stringify({ ...good, [name]: text })) }));
}
