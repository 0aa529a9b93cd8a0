import { after, before, beforeEach } from 'node:test';
import { type Receiver, startReceiver } from '../../events/testing/receiver.ts';
import { createKit, type Kit, type KitSettings } from '../../kit.ts';
import { createXpk } from './run.ts';

/** Each test begins with a reset kit. */
export function startKitWithReceiver(settings: KitSettings) {
  const started = {} as { kit: Kit; receiver: Receiver };
  const commands = createXpk(() => ['--url', started.kit.url]);
  before(async () => {
    started.kit = await createKit({ port: 0, ...settings });
    started.receiver = await startReceiver();
  });
  beforeEach(() => commands.xpk('reset'));
  after(async () => {
    await started.kit.close();
    await started.receiver.close();
  });
  return { started, ...commands };
}
