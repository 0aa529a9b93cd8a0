import type { OperationId } from '../../src/contract/generated/operations.ts';
import { createCapabilityPlaceholder, createRefusalCheck, describeChange, expectChangeRefused, type Refusal } from '../actors/refusals.ts';
import { expectSuccess } from '../expect/response.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Pair } from '../target/capabilities.ts';
import { MALFORMED_NUMBER, MALFORMED_NUMBERS, MALFORMED_UUID, MALFORMED_UUIDS, UNKNOWN_UUID } from '../target/sample-values.ts';

const CREATE: readonly Refusal[] = [
  ['connections.create.scope', { as: 'without-scope' }],
  ['connections.create.read-only', { as: 'reader' }, 403],
  ['connections.create.unknown-account-or-experience-refused', { as: 'outsider' }],
  ['connections.create.malformed', { rawBody: '{"accountId": "' }, 400],
  ['connections.create.required-field', { values: { accountId: undefined } }, 422],
  ['connections.create.required-field', { values: { experienceId: undefined } }, 422],
  ...MALFORMED_UUIDS.flatMap((id): Refusal[] => [
    ['connections.create.invalid-value', { values: { accountId: id } }, 422],
    ['connections.create.invalid-value', { values: { experienceId: id } }, 422],
  ]),
  ['connections.create.invalid-value', { values: { state: 'SLEEPING' } }, 422],
];

const UPDATE: readonly Refusal[] = [
  ['connections.update.scope', { as: 'without-scope' }],
  ['connections.update.read-only', { as: 'reader' }, 403],
  ['connections.update.not-found', { as: 'outsider' }, 404],
  ['connections.update.not-found', { id: UNKNOWN_UUID }, 404],
  ['connections.update.not-found', { id: 'no-such-connection' }, 404, 400],
  ['connections.update.invalid-value', { values: { state: 'SLEEPING' } }, 422, 400],
  ['connections.update.malformed', { rawBody: '{"state": "ACTIVE"' }, 400],
  ['connections.update.missing-field-refused', { values: { state: undefined } }, 400, 422],
];

const [ACCOUNT, EXPERIENCE, NUMBER] = [
  createCapabilityPlaceholder('account.any'),
  createCapabilityPlaceholder('experience.any'),
  createCapabilityPlaceholder('number.any'),
];

const REFUSALS: Readonly<Partial<Record<OperationId, readonly Refusal[]>>> = {
  createExperienceConnection: CREATE,
  updateExperienceConnection: UPDATE,
  getExperienceConnection: [
    ['connections.get.scope', { as: 'without-scope' }],
    ['connections.get.not-found', { as: 'outsider' }, 404],
    ['connections.get.not-found', { id: UNKNOWN_UUID }, 404],
    ['connections.get.not-found', { id: 'no-such-connection' }, 404, 400],
  ],
  deleteExperienceConnection: [
    ['connections.delete.scope', { as: 'without-scope' }],
    ['connections.delete.read-only', { as: 'reader' }, 403],
    ['connections.delete.not-found', { as: 'outsider' }, 404],
    ['connections.delete.not-found', { id: UNKNOWN_UUID }, 404],
    ['connections.delete.not-found', { id: 'no-such-connection' }, 404, 400],
  ],
  getExperienceConnections: [
    ['connections.list.scope', { as: 'without-scope' }],
    ['connections.list.selector-required', { values: { accountId: undefined } }, 400],
    [
      'connections.list.selector-required',
      { valid: { accountId: ACCOUNT, experienceId: EXPERIENCE }, values: { accountId: undefined } },
      400,
    ],
    ...MALFORMED_UUIDS.flatMap((id): Refusal[] => [
      ['connections.list.account-id-uuid', { values: { accountId: id } }, 400],
      [
        'connections.list.experience-id-uuid',
        { valid: { accountId: ACCOUNT, experienceId: EXPERIENCE }, values: { experienceId: id } },
        400,
      ],
    ]),
    ['connections.list.account-id-uuid', { valid: { telephoneNumber: NUMBER }, values: { accountId: MALFORMED_UUID } }, 400],
    [
      'connections.list.experience-id-uuid',
      { valid: { telephoneNumber: NUMBER, experienceId: EXPERIENCE }, values: { experienceId: MALFORMED_UUID } },
      400,
    ],
    ...MALFORMED_NUMBERS.flatMap((number): Refusal[] => [
      ['connections.list.telephone-number-format', { valid: { telephoneNumber: NUMBER }, values: { telephoneNumber: number } }, 400],
      ['connections.list.tn-format', { valid: { tn: NUMBER }, values: { tn: number } }, 400],
    ]),
    // The malformed telephoneNumber takes precedence over the valid tn.
    ['connections.list.telephone-number-format', { valid: { tn: NUMBER }, values: { telephoneNumber: MALFORMED_NUMBER } }, 400],
    ...['0', '101', '-1', '1.5', 'ten', '10connections', '4294967297'].map(
      (pageSize): Refusal => [
        'connections.list.page-size-range',
        { valid: { accountId: ACCOUNT, pageSize: 100 }, values: { pageSize } },
        400,
      ],
    ),
  ],
};

for (const [operation, refusals] of Object.entries(REFUSALS) as [OperationId, readonly Refusal[]][])
  for (const [id, change, ...statuses] of refusals)
    test(...rule(id, describeChange(change)), createRefusalCheck(operation, change, ...statuses));

// Only a body with both the account and the Experience could create this connection.
for (const [, change, ...statuses] of CREATE.filter(([, { as, values }]) => as !== undefined || values?.state !== undefined)) {
  test(...rule('connections.create.refused-changes-nothing', describeChange(change)), async ({ api, need, calls, connections }) => {
    const sample = await calls.createSample('createExperienceConnection');
    const { accountId, experienceId } = sample.values as Pair;
    await expectChangeRefused({ api, need, calls }, 'createExperienceConnection', sample, change, ...statuses);
    await connections.expectNotListed({ accountId }, { accountId, experienceId });
    expectSuccess('createExperienceConnection', await connections.create({ accountId, experienceId }));
  });
}

for (const [, change, ...statuses] of UPDATE) {
  test(...rule('connections.update.refused-changes-nothing', describeChange(change)), async ({ api, need, calls, connections }) => {
    const sample = await calls.createSample('updateExperienceConnection');
    const { accountId, experienceId } = sample.values as Pair;
    const connection = { id: sample.id ?? '', accountId, experienceId };
    const before = await connections.snapshot(connection);
    await expectChangeRefused({ api, need, calls }, 'updateExperienceConnection', sample, change, ...statuses);
    await connections.expectUnchanged(connection, before);
  });
}
