import { type RawBuilder, sql } from 'kysely';
import type { OperationId } from '../../contract/generated/operations.ts';
import type { Executor } from '../../store/engine.ts';

/** Values of path parameters, query parameters and body members by name. */
export type ExampleValues = Readonly<Record<string, string | undefined>>;

/**
 * The provider and the principal that need grants on the example entities. The grants of an undefined provider or principal are not
 * checked.
 */
export interface Caller {
  readonly providerId?: string | undefined;
  readonly principalId?: string | undefined;
}

const ANY = sql`1 = 1`;
const READ = 1;
const MANAGE = 2;

/**
 * Finds stored values with which the operation succeeds for this caller.
 * @param given The values of the request to keep.
 * @returns undefined if no values succeed.
 */
export async function exampleFor(
  db: Executor,
  operationId: OperationId,
  { providerId, principalId }: Caller,
  given: ExampleValues,
): Promise<ExampleValues | undefined> {
  const onExperience = (column: string, level: number) =>
    providerId === undefined
      ? ANY
      : sql`exists (select 1 from experience_grants g where g.experience_id = ${sql.ref(column)} and g.provider_id = ${providerId} and g.level >= ${level})`;
  const onAccount = (column: string, level: number) =>
    principalId === undefined
      ? ANY
      : sql`exists (select 1 from account_grants g where g.account_id = ${sql.ref(column)} and g.principal_id = ${principalId} and g.level >= ${level})`;
  const equals = (column: string, value: string | undefined) => (value === undefined ? ANY : sql`${sql.ref(column)} = ${value}`);
  const first = async (query: RawBuilder<ExampleValues>) => (await query.execute(db)).rows[0];

  const assignment = (level: number) =>
    first(sql`
      select id as "assignmentId", account_id as "accountId", experience_id as "experienceId",
        target_type as "targetType", target_value as "targetValue" from assignments t
      where ${onExperience('t.experience_id', level)} and ${onAccount('t.account_id', level)}
        and ${equals('account_id', given.accountId)} and ${equals('experience_id', given.experienceId)}
        and ${equals('target_type', given.targetType)} and ${equals('target_value', given.targetValue)}
      order by id limit 1`);
  const connection = (level: number, condition = ANY) =>
    first(sql`
      select id as "experienceConnectionId", account_id as "accountId", experience_id as "experienceId",
        case state when 'ACTIVE' then 'INACTIVE' else 'ACTIVE' end as state, number as "telephoneNumber", number as tn
      from (select c.*, (select min(n.number) from telephone_numbers n where n.account_id = c.account_id) as number from connections c) t
      where ${onExperience('t.experience_id', level)} and ${onAccount('t.account_id', level)} and ${condition}
        and ${equals('account_id', given.accountId)} and ${equals('experience_id', given.experienceId)}
        and ${equals('id', given.experienceConnectionId)} and ${equals('number', given.telephoneNumber ?? given.tn)}
      order by number is null, id limit 1`);

  switch (operationId) {
    case 'getExperienceAssignments':
    case 'getExperienceAssignment':
      return assignment(READ);
    case 'deleteExperienceAssignment':
      return assignment(MANAGE);
    case 'getExperienceConnections':
    case 'getExperienceConnection':
      return connection(READ);
    case 'updateExperienceConnection':
      return connection(MANAGE, given.state === undefined ? undefined : sql`state <> ${given.state}`);
    case 'deleteExperienceConnection':
      return connection(
        MANAGE,
        sql`not exists (select 1 from assignments s where s.experience_id = t.experience_id and s.target_type = 'PHONE_NUMBER')`,
      );
    case 'createExperienceConnection':
      return first(sql`
        select a.id as "accountId", e.id as "experienceId", 'ACTIVE' as state from accounts a cross join experiences e
        where ${onExperience('e.id', MANAGE)} and ${onAccount('a.id', MANAGE)}
          and ${equals('a.id', given.accountId)} and ${equals('e.id', given.experienceId)}
          and not exists (select 1 from connections c where c.account_id = a.id and c.experience_id = e.id) limit 1`);
    case 'getExperienceAssignability':
    case 'createExperienceAssignment': {
      const targetType = given.targetType === 'USER' || given.targetType === 'ACCOUNT' ? given.targetType : 'PHONE_NUMBER';
      const { table, value, account } = TARGETS[targetType];
      return first(sql`
        select e.id as "experienceId", ${targetType} as "targetType", ${sql.ref(value)} as "targetValue"
        from experiences e cross join ${sql.table(table)} t
        where ${onExperience('e.id', MANAGE)} and ${onAccount(account, MANAGE)}
          and ${equals('e.id', given.experienceId)} and ${equals(value, given.targetValue)}
          and not exists (select 1 from assignments s where s.target_type = ${targetType} and s.target_value = ${sql.ref(value)}) limit 1`);
    }
    case 'getUsers':
    case 'getUser':
      return first(sql`
        select id as "userId", account_id as "accountId" from users t
        where ${onAccount('t.account_id', READ)} and ${equals('account_id', given.accountId)} order by id limit 1`);
  }
}

const TARGETS = {
  PHONE_NUMBER: { table: 'telephone_numbers', value: 't.number', account: 't.account_id' },
  USER: { table: 'users', value: 't.id', account: 't.account_id' },
  ACCOUNT: { table: 'accounts', value: 't.id', account: 't.id' },
} as const;
