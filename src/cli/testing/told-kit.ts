import { after, before } from 'node:test';
import { world } from '../../events/testing/lab.ts';
import { type Receiver, startReceiver } from '../../events/testing/receiver.ts';
import { createKit, type Kit } from '../../kit.ts';

/** A kit with the world of the tests of events, and a receiver that can be told of it: there while the tests of a file run. */
export function toldKit(): { readonly kit: Kit; readonly receiver: Receiver } {
  const there = {} as { kit: Kit; receiver: Receiver };
  before(async () => {
    there.kit = await createKit({ port: 0, fixtures: world });
    there.receiver = await startReceiver();
  });
  after(async () => {
    await there.kit.close();
    await there.receiver.close();
  });
  return there;
}
