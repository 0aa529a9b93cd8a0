import { randomUUID } from 'node:crypto';
import type { Client } from '../actors/client.ts';
import type { Assignment } from '../actors/make-assignment.ts';
import { must } from '../expect/broken.ts';
import { compareInstants } from '../expect/instants.ts';
import { among, listed } from '../expect/pages.ts';
import { sameId } from '../expect/same-id.ts';
import { refused, success } from '../expect/verify.ts';
import { test } from '../runner/assignments-test.ts';
import { rule } from '../runner/rule.ts';
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
  const list = await listed(api, LIST, { token, query: { targetType, targetValue } });
  const right = list.length === expected.length && among(list, expected).length === expected.length;
  must(right, `${targetValue} has the assignments it had, ${JSON.stringify(expected)}, not ${JSON.stringify(list)}`);
}

async function read(api: Client, token: string, assignmentId: string): Promise<Assignment> {
  return success<Assignment>(GET, await api.call(GET, { token, path: { assignmentId } }), 200);
}

test(
  'A refused creation leaves the assignments as they were: a duplicate.',
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const token = await need('token');
    const made = await assignments.make();
    const before = await read(api, token, made.id);
    const { experienceId, targetType, targetValue } = made;
    refused(await assignments.create({ experienceId, targetType, targetValue }));
    await mustHaveOnly(api, token, made, made);
    const after = await read(api, token, made.id);
    for (const field of ['experienceId', 'accountId', 'targetType', 'targetValue'] as const)
      must(sameId(after[field], before[field]), `its ${field} is still ${before[field]}, not ${after[field]}`);
    const isSame = compareInstants(before.updatedAt ?? '', after.updatedAt ?? '') === 0;
    must(isSame, `its updatedAt is still ${before.updatedAt}, not ${after.updatedAt}`);
  },
);

test(
  'A refused creation leaves the assignments as they were: a number that an AGENT Experience has.',
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const made = await assignments.make({ experienceId: await need('experience.agent') });
    const { targetType, targetValue } = made;
    refused(await assignments.create({ experienceId: await need('experience.second-agent'), targetType, targetValue }));
    await mustHaveOnly(api, await need('token'), made, made);
  },
);

for (const [which, experienceId] of [
  ['no Experience', undefined],
  ['null for the Experience', null],
  ['an Experience that does not exist', randomUUID()],
] as const) {
  test(
    `A refused creation leaves the assignments as they were: ${which}.`,
    rule('assignments.create.refused-changes-nothing'),
    async ({ api, need, assignments }) => {
      const wanted = await assignments.wanted();
      refused(await assignments.create({ ...wanted, experienceId }));
      await mustHaveOnly(api, await need('token'), wanted);
      success(CREATE, await assignments.create(wanted), 201);
    },
  );
}

test(
  'A refused creation leaves the assignments as they were: a user that is not known.',
  rule('assignments.create.refused-changes-nothing'),
  async ({ api, need, assignments }) => {
    const wanted = await assignments.wanted({ targetType: 'USER' });
    const query = { targetType: 'USER', targetValue: UNKNOWN_TARGETS.USER() } as const;
    refused(await assignments.create({ ...wanted, ...query }));
    success(CREATE, await assignments.create(wanted), 201);
    const answer = await api.call(LIST, { token: await need('token'), query });
    // Nobody knows this user: a server may say so.
    if (answer.status === 403 || answer.status === 404) return;
    must(success<{ entities: unknown[] }>(LIST, answer, 200).entities.length === 0, 'the user has no assignments', answer);
  },
);

for (const who of ['token.reader', 'token.outsider', 'token.without-scope'] as const) {
  test(
    `A refused creation leaves the assignments as they were: ${who}.`,
    rule('assignments.create.refused-changes-nothing'),
    async ({ api, need, assignments }) => {
      const wanted = await assignments.wanted();
      const token = who === 'token.without-scope' ? (await need(who))['experience-assignments:manage'] : await need(who);
      refused(await assignments.create(wanted, { token }));
      await mustHaveOnly(api, await need('token'), wanted);
      success(CREATE, await assignments.create(wanted), 201);
    },
  );
}
