import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, type Json, success, withEntities } from '../exchange.ts';
import type { Saboteur, SaboteursOf } from '../saboteur.ts';
import { whereDone } from './assignments-world.ts';
import { ofEachType } from './target-types.ts';

type Change = (assignment: Json) => Json;
type Wrong = readonly [string, Change];

/** Members that a shown assignment has to have: left out, of another type, or in another format. What is undefined is left out. */
const WRONG: readonly Wrong[] = [
  ...ofEachType(
    (type): Wrong => [
      `with a targetValue of ${type} in another format`,
      (assignment) => (assignment.targetType === type ? { ...assignment, targetValue: `target ${assignment.targetValue}` } : assignment),
    ],
  ),
  ...['id', 'experienceId', 'accountId', 'targetType', 'targetValue'].flatMap((name): Wrong[] => [
    [`without ${name}`, (assignment) => ({ ...assignment, [name]: undefined })],
    [`with null for ${name}`, (assignment) => ({ ...assignment, [name]: null })],
  ]),
  ['with a number for an id', (assignment) => ({ ...assignment, id: 4711 })],
  ['with its Experience in an object', ({ experienceId: id, ...assignment }) => ({ ...assignment, experience: { id } })],
  ['with its target in an object', ({ targetType, targetValue, ...rest }) => ({ ...rest, target: { targetType, targetValue } })],
  ['with targetType in lower case', ({ targetType, ...rest }) => ({ ...rest, targetType: targetType.toLowerCase() })],
];

/** An updatedAt that is no date-time, or not in UTC. */
export const WRONG_INSTANTS: readonly Wrong[] = [
  ['without updatedAt', (assignment) => ({ ...assignment, updatedAt: undefined })],
  ['with null for updatedAt', (assignment) => ({ ...assignment, updatedAt: null })],
  ['with updatedAt in milliseconds', (assignment) => ({ ...assignment, updatedAt: Date.parse(assignment.updatedAt) })],
  ['with an updatedAt that is not in UTC', (assignment) => ({ ...assignment, updatedAt: inParis(assignment.updatedAt) })],
  ['with an updatedAt that says no zone', (assignment) => ({ ...assignment, updatedAt: assignment.updatedAt.slice(0, -1) })],
  ['with an updatedAt that is a day', (assignment) => ({ ...assignment, updatedAt: assignment.updatedAt.slice(0, 10) })],
  ['with an updatedAt as in a header', (assignment) => ({ ...assignment, updatedAt: new Date(assignment.updatedAt).toUTCString() })],
];

/** The same instant. */
function inParis(instant: string): string {
  return new Date(Date.parse(instant) + 3_600_000).toISOString().replace('Z', '+01:00');
}

const listing = ([how, change]: Wrong): Saboteur =>
  whereDone('getExperienceAssignments', `Lists an assignment ${how}.`, (reply) => withEntities(reply, (all) => all.map(change)));

const showing = ([how, change]: Wrong): Saboteur =>
  whereDone('getExperienceAssignment', `Shows an assignment ${how}.`, (reply) => answering(reply, change(bodyOf(reply))));

/** Servers that show assignments in another shape. */
export const assignmentsShape = {
  'assignments.list.shape': WRONG.map(listing) as [Saboteur, ...Saboteur[]],
  'assignments.list.updated-at-prefixed': WRONG_INSTANTS.map(listing) as [Saboteur, ...Saboteur[]],
  'assignments.get.shape': [
    ...([...WRONG, ...WRONG_INSTANTS].map(showing) as [Saboteur, ...Saboteur[]]),
    whereDone('getExperienceAssignment', 'Wraps an assignment that it shows.', (reply) => success(200, { assignment: bodyOf(reply) })),
    whereDone('getExperienceAssignment', 'Shows a list of one assignment.', (reply) => success(200, [bodyOf(reply)])),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
