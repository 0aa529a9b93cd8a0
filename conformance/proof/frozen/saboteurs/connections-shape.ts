import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { answering, bodyOf, isSuccess, type Json, withEntities } from '../exchange.ts';
import { reddening, type Saboteur, type SaboteursOf, saboteur } from '../saboteur.ts';

type Change = (connection: Json) => Json;

/** Connections that are not as the table has them. It marks no field as required, so leaving one out breaks nothing. */
const WRONG: readonly [string, Change][] = [
  ['with a number for an id', (connection) => ({ ...connection, id: Number.parseInt(connection.id.slice(0, 8), 16) })],
  ['with an accountId that is not a UUID', (connection) => ({ ...connection, accountId: `account-${connection.accountId}` })],
  ['with an experienceId that is not a UUID', (connection) => ({ ...connection, experienceId: `experience-${connection.experienceId}` })],
  ['with null for the accountName', (connection) => ({ ...connection, accountName: null })],
  ['with an object for the accountName', (connection) => ({ ...connection, accountName: { name: connection.accountName } })],
  ['with its state in lower case', (connection) => ({ ...connection, state: connection.state.toLowerCase() })],
  ['with true or false for its state', (connection) => ({ ...connection, state: connection.state === 'ACTIVE' })],
  ['with an updatedAt in milliseconds', (connection) => ({ ...connection, updatedAt: Date.parse(connection.updatedAt) })],
  ['with an updatedAt that says no zone', (connection) => ({ ...connection, updatedAt: connection.updatedAt.slice(0, -1) })],
  ['with an updatedAt that is not in UTC', (connection) => ({ ...connection, updatedAt: inParis(connection.updatedAt) })],
  ['with null for its updatedAt', (connection) => ({ ...connection, updatedAt: null })],
];

/** The same instant. */
function inParis(instant: string): string {
  return new Date(Date.parse(instant) + 3_600_000).toISOString().replace('Z', '+01:00');
}

type Operation = 'getExperienceConnections' | 'getExperienceConnection';

function showing(does: string, operation: Operation, change: Change): Saboteur {
  return saboteur(does, operation, (reply) => {
    if (!isSuccess(reply)) return undefined;
    return operation === 'getExperienceConnection'
      ? answering(reply, change(bodyOf(reply)))
      : withEntities(reply, (connections) => connections.map(change));
  });
}

function wrongIn(verb: string, operation: Operation): readonly [Saboteur, ...Saboteur[]] {
  const nameless = showing(`${verb} INACTIVE connections with null for the accountName.`, operation, (connection) =>
    connection.state === 'INACTIVE' ? { ...connection, accountName: null } : connection,
  );
  return [
    reddening(40, 'Whatever asks for connections of no special state meets one that is INACTIVE.', nameless),
    ...WRONG.map(([how, change]) =>
      showing(`${verb} an ACTIVE connection ${how}.`, operation, (connection) =>
        connection.state === 'ACTIVE' ? change(connection) : connection,
      ),
    ),
  ];
}

/** Servers that show connections in another shape. */
export const connectionsShape = {
  'connections.list.shape': wrongIn('Lists', 'getExperienceConnections'),
  'connections.get.shape': wrongIn('Shows', 'getExperienceConnection'),
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
