import { randomUUID } from 'node:crypto';
import type { Client } from '../actors/api-client.ts';
import type { Assignment } from '../actors/assignments.ts';
import { foundIn, listAll } from '../actors/lists.ts';
import { compareInstants, sameId } from '../expect/compare.ts';
import { expectRefused, expectSuccess } from '../expect/response.ts';
import { must } from '../expect/rule-broken.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import { UNKNOWN_TARGETS } from '../target/sample-values.ts';

const CREATE = 'createExperienceAssignment';
const GET = 'getExperienceAssignment';
const LIST = 'getExperienceAssignments';
type Target = Pick<Assignment, 'targetType' | 'targetValue'>;

/** @throws RuleBroken unless these are all the assignments that the target has. */
async function mustHaveOnly(
  api: Client,
  token: string,
  { targetType, targetValue }: Target,
  ...expected: readonly Assignment[]
): Promise<void> {
  const list = await listAll(api, LIST, { token, query: { targetType, targetValue } });
  const right = list.length === expected.length && foundIn(list, expected).length === expected.length;
  must(right, `${targetValue} has the assignments it had, ${JSON.stringify(expected)}, not ${JSON.stringify(list)}`);
}

async function read(api: Client, token: string, assignmentId: string): Promise<Assignment> {
  return expectSuccess<Assignment>(GET, await api.call(GET, { token, path: { assignmentId } }), 200);
}

test(
  'A expectRefused creation leaves the assignments as they were: a duplicate.',
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const token = await need('token');
    const made = await assignments.make();
    const before = await read(api, token, made.id);
    const { experienceId, targetType, targetValue } = made;
    expectRefused(await assignments.create({ experienceId, targetType, targetValue }));
    await mustHaveOnly(api, token, made, made);
    const after = await read(api, token, made.id);
    for (const field of ['experienceId', 'accountId', 'targetType', 'targetValue'] as const)
      must(sameId(after[field], before[field]), `its ${field} is still ${before[field]}, not ${after[field]}`);
    const isSame = compareInstants(before.updatedAt ?? '', after.updatedAt ?? '') === 0;
    must(isSame, `its updatedAt is still ${before.updatedAt}, not ${after.updatedAt}`);
  },
);

test(
  'A expectRefused creation leaves the assignments as they were: a number that an AGENT Experience has.',
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const made = await assignments.make({ experienceId: await need('experience.agent') });
    const { targetType, targetValue } = made;
    expectRefused(await assignments.create({ experienceId: await need('experience.second-agent'), targetType, targetValue }));
    await mustHaveOnly(api, await need('token'), made, made);
  },
);

for (const [which, experienceId] of [
  ['no Experience', undefined],
  ['null for the Experience', null],
  ['an Experience that does not exist', randomUUID()],
] as const) {
  test(
    `A expectRefused creation leaves the assignments as they were: ${which}.`,
    rule('assignments.create.refused-changes-nothing'),
    async ({ api, need, assignments }) => {
      const wanted = await assignments.newBody();
      expectRefused(await assignments.create({ ...wanted, experienceId }));
      await mustHaveOnly(api, await need('token'), wanted);
      expectSuccess(CREATE, await assignments.create(wanted), 201);
    },
  );
}

test(
  'A expectRefused creation leaves the assignments as they were: a user that is not known.',
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const wanted = await assignments.newBody({ targetType: 'USER' });
    const query = { targetType: 'USER', targetValue: UNKNOWN_TARGETS.USER() } as const;
    expectRefused(await assignments.create({ ...wanted, ...query }));
    expectSuccess(CREATE, await assignments.create(wanted), 201);
    const answer = await api.call(LIST, { token: await need('token'), query });
    // Nobody knows this user: a server may say so.
    if (answer.status === 403 || answer.status === 404) return;
    must(expectSuccess<{ entities: unknown[] }>(LIST, answer, 200).entities.length === 0, 'the user has no assignments', answer);
  },
);

for (const who of ['token.reader', 'token.outsider', 'token.without-scope'] as const) {
  test(
    `A expectRefused creation leaves the assignments as they were: ${who}.`,
    rule('assignments.create.refused-changes-nothing'),
    async ({ api, need, assignments }) => {
      const wanted = await assignments.newBody();
      const token = who === 'token.without-scope' ? (await need(who))['experience-assignments:manage'] : await need(who);
      expectRefused(await assignments.create(wanted, { token }));
      await mustHaveOnly(api, await need('token'), wanted);
      expectSuccess(CREATE, await assignments.create(wanted), 201);
    },
  );
}
