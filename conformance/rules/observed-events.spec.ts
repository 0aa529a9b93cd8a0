import type { Answered } from '../actors/deliveries.ts';
import type { Connections } from '../actors/make-connection.ts';
import type { Others } from '../actors/others.ts';
import { copiesOf, isRetried, keepsUp, REPEATS } from '../actors/retried.ts';
import { granted, observed, questionOf } from '../expect/observed.ts';
import { eventIds } from '../expect/silence.ts';
import { test } from '../runner/deliveries-test.ts';
import type { Capability } from '../target/capabilities.ts';
import { notTestable } from '../target/not-testable.ts';
import { placeOf } from '../target/template.ts';

const ACTIVATED = 'experience.connection.activated';
const DEACTIVATED = 'experience.connection.deactivated';
const USER_CREATED = 'provisioning.user.created';

test(questionOf('connections.create.activated-event'), async ({ need, events, connections }) => {
  if (placeOf(await need('bodies.connectionCreate'), 'state') === undefined) notTestable('a creation that asks for a state');
  const inbox = await events.subscribed();
  const pair = await connections.pair();
  const made = await connections.madeBy(granted('a creation', await connections.create({ ...pair, state: 'ACTIVE' })), pair);
  await inbox.event({ type: 'experience.connection.created', data: { connectionId: made.id } });
  await inbox.settled();
  const told = inbox.all({ type: ACTIVATED, data: { connectionId: made.id } });
  observed('connections.create.activated-event', told.length > 0 ? 'yes' : 'no');
});

test(questionOf('events.connection.deleted.deactivated-first'), async ({ events, connections }) => {
  const made = await connections.make({ state: 'ACTIVE' });
  const inbox = await events.subscribed();
  granted('a deletion', await connections.remove(made));
  await inbox.event({ type: 'experience.connection.deleted', data: { connectionId: made.id } });
  await inbox.settled();
  const told = inbox.all({ type: DEACTIVATED, data: { connectionId: made.id } });
  observed('events.connection.deleted.deactivated-first', told.length > 0 ? 'yes' : 'no');
});

/** Whether somebody else than the provider was let do it: what refuses it does not say how. */
const wasDone = (act: Promise<void>): Promise<boolean> =>
  act.then(
    () => true,
    () => false,
  );

test(questionOf('portal.same-state'), async ({ connections, elsewhere }) => {
  const [portal, made] = [await elsewhere('portal.connections'), await connections.make({ state: 'INACTIVE' })];
  await portal.update(made.id, 'ACTIVE');
  observed('portal.same-state', (await wasDone(portal.update(made.id, 'ACTIVE'))) ? 'no-op' : 'refused');
});

test(questionOf('portal.delete-with-numbers'), async ({ need, connections, elsewhere }) => {
  const [portal, made] = [await elsewhere('portal.connections'), await connections.make()];
  const unassign = await connections.assign(made, 'PHONE_NUMBER', await need('number.second-account'));
  if (await wasDone(portal.remove(made.id))) return observed('portal.delete-with-numbers', 'allowed');
  await unassign();
  // Without the number it is done, or this check ends here.
  await portal.remove(made.id);
  observed('portal.delete-with-numbers', 'refused');
});

/** An Experience that the account is connected to, and assigned to. */
async function assigned(connections: Connections, accountId: string): Promise<string> {
  const made = await connections.make({ accountId, state: 'ACTIVE' });
  await connections.assign(made, 'ACCOUNT', accountId);
  return made.experienceId;
}

/** Users as whoever it is makes them. */
const usersOf = (has: (capability: Capability) => boolean, elsewhere: Others) =>
  elsewhere(has('platform.users') ? 'platform.users' : 'portal.users');

test(questionOf('provisioning.assigned-means'), async ({ has, events, connections, elsewhere }) => {
  // In no other account is it certain that nothing is connected, or assigned.
  const accountId = await (await elsewhere('platform.accounts')).create();
  const connection = await connections.make({ accountId, state: 'ACTIVE' });
  const [users, inbox] = [await usersOf(has, elsewhere), await events.subscribed()];
  const isTold = async () => {
    const userId = await users.create(accountId);
    await inbox.settled();
    return inbox.all({ type: USER_CREATED, data: { userId } }).length > 0;
  };
  if (await isTold()) return observed('provisioning.assigned-means', 'connection');
  await connections.assign(connection, 'ACCOUNT', accountId);
  if (await isTold()) observed('provisioning.assigned-means', 'account-assignment');
});

test(questionOf('provisioning.several-experiences'), async ({ has, events, connections, elsewhere }) => {
  const accountId = await (await elsewhere('platform.accounts')).create();
  for (let experiences = 0; experiences < 2; experiences += 1) await assigned(connections, accountId);
  const [users, inbox] = [await usersOf(has, elsewhere), await events.subscribed()];
  const wanted = { type: USER_CREATED, data: { userId: await users.create(accountId) } } as const;
  await inbox.event(wanted);
  await inbox.settled();
  const { size } = eventIds(inbox.all(wanted));
  observed('provisioning.several-experiences', size === 1 ? 'one' : size === 2 ? 'one-each' : undefined);
});

test(questionOf('provisioning.account-deleted'), async ({ has, events, connections, elsewhere }) => {
  const accounts = await elsewhere('platform.accounts');
  const accountId = await accounts.create();
  await assigned(connections, accountId);
  const userId = await (await usersOf(has, elsewhere)).create(accountId);
  const inbox = await events.subscribed();
  await accounts.remove(accountId);
  await inbox.event({ type: 'experience.assignment.deleted', data: { accountId } });
  await inbox.settled();
  const told = inbox.all({ type: 'provisioning.user.deleted', data: { userId } });
  observed('provisioning.account-deleted', told.length > 0 ? 'sent' : 'not-sent');
});

test(questionOf('events.webhook-id'), async ({ events, assignments }) => {
  const inboxes = [await events.subscribe({}), await events.subscribe({})];
  const { id } = await assignments.make();
  const wanted = { type: 'experience.assignment.created', data: { assignmentId: id } } as const;
  const told = await Promise.all(inboxes.map((inbox) => inbox.event(wanted)));
  observed('events.webhook-id', eventIds(told).size === 1 ? 'same' : 'different');
});

test(questionOf('events.delivery.signature'), async ({ events, assignments }) => {
  const inbox = await events.subscribed();
  const { id } = await assignments.make();
  const { headers } = await inbox.event({ type: 'experience.assignment.created', data: { assignmentId: id } });
  if (/^v1a?,/.test(headers['webhook-signature'] ?? '')) observed('events.delivery.signature', 'standard-webhooks');
  // Any other header may be a signature as well.
  else if (!Object.keys(headers).some((name) => name.includes('signature'))) observed('events.delivery.signature', 'none');
});

/** Repeats that come within so many milliseconds are no schedule of about a day. */
const SOON_MS = 10_000;

// Together, as each of them waits for the same.
test(
  [questionOf('events.delivery.retry-schedule'), questionOf('events.delivery.gone'), questionOf('events.delivery.acknowledged-by')].join(
    ' ',
  ),
  async ({ has, events, deliveries }) => {
    const cut: Answered = { reaction: { status: 200, cut: true }, by: 'a 200 that breaks off' };
    const gone: Answered = { reaction: { status: 410 }, by: '410' };
    // Who is told that an endpoint is gone may send nothing to it any more, be it the checks' to come.
    const ownOnly = has('subscriptions') ? [gone] : [];
    const beside = await deliveries.besideFailing(await events.subscribed(), [cut, ...ownOnly]);
    if (!isRetried(beside)) notTestable('a delivery that fails and is sent again');
    const pauses = beside.failed.map(({ at }) => at - (beside.failed[0]?.at ?? at));
    observed('events.delivery.retry-schedule', (pauses[REPEATS * copiesOf(beside)] ?? SOON_MS) < SOON_MS ? 'fast' : 'standard');
    // What came more often than it had to, but less often than what fails, may have done so by accident.
    const [isCutRepeated, isGoneRepeated] = beside.came.map((came) =>
      came.length === copiesOf(beside) ? false : keepsUp(beside, came) || undefined,
    );
    if (ownOnly.length > 0)
      observed('events.delivery.gone', isGoneRepeated === undefined ? undefined : isGoneRepeated ? 'retried' : 'ended');
    observed('events.delivery.acknowledged-by', isCutRepeated === undefined ? undefined : isCutRepeated ? 'headers-and-body' : 'headers');
  },
);
