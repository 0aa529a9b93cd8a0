import type { EventType } from '../../../contract/generated/events.ts';
import type { As, Lab } from './lab.ts';

/** An event, and the alias of what it is about. */
export type Happened = [type: EventType, entity: string];

/** Something that a portal or the platform does, and what it publishes. */
export interface Cause {
  readonly title: string;
  readonly work: (lab: Lab, as: As) => Promise<unknown>;
  readonly publishes: readonly Happened[];
  /** Who gets it, where one event is published. */
  readonly to?: readonly string[];
}

const DESK = ['desk-only', 'everything'];
export const CAUSES: readonly Cause[] = [
  {
    title: 'creating a connection',
    work: (lab, as) => lab.put('connections', 'new', { account: 'south', experience: 'desk' }, as),
    publishes: [['experience.connection.created', 'new']],
    to: DESK,
  },
  {
    title: 'making a connection ACTIVE',
    work: (lab, as) => lab.patch('connections', 'south-lobby', { state: 'ACTIVE' }, as),
    publishes: [['experience.connection.activated', 'south-lobby']],
    to: ['everything', 'lobby-only'],
  },
  {
    title: 'making a connection INACTIVE',
    work: (lab, as) => lab.put('connections', 'north-desk', { account: 'north', experience: 'desk', state: 'INACTIVE' }, as),
    publishes: [['experience.connection.deactivated', 'north-desk']],
    to: DESK,
  },
  {
    title: 'deleting a connection, though numbers are assigned',
    work: (lab, as) => lab.remove('connections', 'north-desk', as),
    publishes: [['experience.connection.deleted', 'north-desk']],
    to: DESK,
  },
  {
    title: "connecting another provider's experience",
    work: (lab, as) => lab.put('connections', 'new', { account: 'south', experience: 'kiosk' }, as),
    publishes: [['experience.connection.created', 'new']],
    to: ['rival-everything'],
  },
  ...(
    [
      ['ACCOUNT', 'south'],
      ['PHONE_NUMBER', '+12065550101'],
      ['USER', 'bob'],
    ] as const
  ).map(([targetType, target]) => ({
    title: `assigning to a target of type ${targetType}`,
    work: (lab: Lab, as: As) => lab.put('assignments', 'new', { experience: 'desk', targetType, target }, as),
    publishes: [['experience.assignment.created', 'new']] as const satisfies Happened[],
    to: DESK,
  })),
  {
    title: 'deleting an assignment',
    work: (lab, as) => lab.remove('assignments', 'desk-number', as),
    publishes: [['experience.assignment.deleted', 'desk-number']],
    to: DESK,
  },
  {
    title: 'deleting a telephone number',
    work: (lab, as) => lab.remove('telephoneNumbers', '+12065550100', as),
    publishes: [['experience.assignment.deleted', 'desk-number']],
    to: DESK,
  },
  {
    title: 'deleting a number that is assigned to nothing',
    work: (lab, as) => lab.remove('telephoneNumbers', '+12065550101', as),
    publishes: [],
  },
  {
    title: 'creating a user in an assigned account',
    work: (lab, as) => lab.put('users', 'new', { account: 'north' }, as),
    publishes: [['provisioning.user.created', 'new']],
    to: DESK,
  },
  {
    title: 'creating a user in an account that is only connected',
    work: (lab, as) => lab.put('users', 'new', { account: 'south' }, as),
    publishes: [],
  },
  {
    title: 'deleting a user in an assigned account',
    work: (lab, as) => lab.remove('users', 'bob', as),
    publishes: [['provisioning.user.deleted', 'bob']],
    to: DESK,
  },
  {
    title: 'deleting a user that is assigned',
    work: (lab, as) => lab.remove('users', 'ada', as),
    publishes: [
      ['provisioning.user.deleted', 'ada'],
      ['experience.assignment.deleted', 'desk-ada'],
    ],
  },
  { title: 'deleting a user in an account that is only connected', work: (lab, as) => lab.remove('users', 'cy', as), publishes: [] },
  {
    title: 'deleting an account that is only connected',
    work: (lab, as) => lab.remove('accounts', 'south', as),
    publishes: [['experience.connection.deleted', 'south-lobby']],
    to: ['everything', 'lobby-only'],
  },
  {
    title: 'renaming whatever has a name',
    work: async (lab, as) => {
      await lab.patch('accounts', 'north', { name: 'Nord' }, as);
      await lab.patch('experiences', 'desk', { name: 'Bureau' }, as);
      await lab.patch('providers', 'acme', { name: 'Akme' }, as);
      await lab.patch('users', 'ada', { firstName: 'Augusta' }, as);
      await lab.patch('principals', 'ann', { name: 'Anna' }, as);
      await lab.patch('clients', 'backend', { name: 'Server' }, as);
    },
    publishes: [],
  },
  {
    title: 'what only an operator has',
    work: async (lab, as) => {
      await lab.put('accounts', 'new', { name: 'East' }, as);
      await lab.put('telephoneNumbers', '+12065550900', { account: 'new' }, as);
      await lab.put('experiences', 'new', { provider: 'acme', name: 'New' }, as);
      await lab.remove('subscriptions', 'rival-everything', as);
      await lab.remove('experiences', 'new', as);
    },
    publishes: [],
  },
];
