import { granted, observed, questionOf } from '../expect/observed.ts';
import { ofConnection } from '../expect/wanted.ts';
import { test } from '../runner/events-test.ts';
import { notTestable } from '../target/not-testable.ts';
import { placeOf } from '../target/template.ts';

test(questionOf('connections.create.deactivated-event'), async ({ need, events, connections }) => {
  if (placeOf(await need('bodies.connectionCreate'), 'state') === undefined) notTestable('a creation that asks for a state');
  const inbox = await events.subscribed();
  const pair = await connections.pair();
  const made = await connections.madeBy(granted('a creation', await connections.create({ ...pair, state: 'INACTIVE' })), pair);
  await inbox.event(ofConnection('created', made.id));
  await inbox.settled();
  observed('connections.create.deactivated-event', inbox.all(ofConnection('deactivated', made.id)).length > 0 ? 'yes' : 'no');
});
