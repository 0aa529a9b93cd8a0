import type { StateRefusal } from '../../../world/refusal.ts';
import type { Collection } from '../../../world/world.ts';
import { type As, type Check, idOf, type Lab } from './lab.ts';
import { FIXED, REFERRED, TAKEN } from './refused-conflicts.ts';
import { WRONG_FORMS } from './refused-forms.ts';
import { UNKNOWN_REFERENCES } from './refused-references.ts';

/** What is tried, how it is refused, and where the entity is wrong. */
export type Refused = readonly [
  title: string,
  work: (lab: Lab) => Promise<unknown>,
  why: StateRefusal['refused'],
  detail: RegExp,
  pointer?: string,
];

const COLLECTIONS: readonly Collection[] = [
  'providers',
  'experiences',
  'accounts',
  'telephoneNumbers',
  'users',
  'principals',
  'clients',
  'assignments',
  'connections',
  'subscriptions',
];

/** Every way in which a write makes no sense or is ruled out; nothing is changed, and nothing published. */
export function refusedWrites(check: Check): void {
  for (const [title, work, why, detail, pointer] of [...UNKNOWN_REFERENCES, ...WRONG_FORMS, ...TAKEN, ...FIXED, ...REFERRED]) {
    check(`refused: ${title}`, (lab) => lab.refuses(() => work(lab), why, detail, pointer));
  }
  for (const collection of COLLECTIONS) {
    check(`${collection}: what does not exist is not found`, async (lab) => {
      for (const as of [undefined, 'portal', 'platform'] as (As | undefined)[]) {
        await lab.refuses(() => lab.patch(collection, 'no-such-thing', {}, as), 'not-found', /There is no .* "no-such-thing"/);
        await lab.refuses(() => lab.remove(collection, 'no\0such', as), 'not-found', /There is no/);
      }
    });
  }
  check('an alias that is nearly right is hinted at', (lab) =>
    lab.refuses(() => lab.remove('connections', 'north-dsek'), 'not-found', /Did you mean "north-desk"/),
  );

  check('references are by alias or by id, in any letter case', async (lab) => {
    const id = await idOf(lab, 'users', 'cy');
    const made = await lab.create('assignments', { experience: 'lobby', targetType: 'USER', target: id.toUpperCase() });
    await lab.refuses(
      () => lab.create('assignments', { experience: 'lobby', targetType: 'USER', target: 'cy' }),
      'conflict',
      /already assigned/,
    );
    await lab.put('assignments', made.alias, { experience: 'lobby', targetType: 'USER', target: id });
  });

  check('two names of one thing in a map are refused', async (lab) => {
    const id = await idOf(lab, 'accounts', 'north');
    const accounts = { north: 'read', [id]: 'manage' };
    await lab.refuses(
      () => lab.put('principals', 'new', { name: 'X', accounts }),
      'invalid',
      /another name of an entity/,
      `/accounts/${id}`,
    );
  });
}
