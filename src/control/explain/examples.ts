import { type RawBuilder, sql } from 'kysely';
import type { OperationId } from '../../contract/generated/operations.ts';
import { MANAGE, READ } from '../../domain/access.ts';
import type { Executor } from '../../store/engine.ts';

/** The values of path parameters, query parameters and body members, by name. */
export type ExampleValues = Readonly<Record<string, string | undefined>>;

/** An undefined id skips its check. */
export interface Caller {
  readonly providerId?: string | undefined;
  readonly principalId?: string | undefined;
}

const NO_LEVEL = sql`1 = 1`;

/**
 * @param given values to keep
 * @returns undefined if no values succeed.
 */
export async function findExample(
  db: Executor,
  operationId: OperationId,
  { providerId, principalId }: Caller,
  given: ExampleValues,
): Promise<ExampleValues | undefined> {
  const hasExperienceLevel = (column: string, level: number) =>
    providerId === undefined
      ? NO_LEVEL
      : sql`exists (select 1 from experience_grants g where g.experience_id = ${sql.ref(column)} and g.provider_id = ${providerId} and g.level >= ${level})`;
  const hasAccountLevel = (column: string, level: number) =>
    principalId === undefined
      ? NO_LEVEL
      : sql`exists (select 1 from account_grants g where g.account_id = ${sql.ref(column)} and g.principal_id = ${principalId} and g.level >= ${level})`;
  const equalsIfGiven = (column: string, value: string | undefined) =>
    value === undefined ? NO_LEVEL : sql`${sql.ref(column)} = ${value}`;
  const findFirst = async (query: RawBuilder<ExampleValues>) => (await query.execute(db)).rows[0];

  const findAssignment = (level: number) =>
    findFirst(sql`
      select id as "assignmentId", account_id as "accountId", experience_id as "experienceId",
        target_type as "targetType", target_value as "targetValue" from assignments t
      where ${hasExperienceLevel('t.experience_id', level)} and ${hasAccountLevel('t.account_id', level)}
        and ${equalsIfGiven('account_id', given.accountId)} and ${equalsIfGiven('experience_id', given.experienceId)}
        and ${equalsIfGiven('target_type', given.targetType)} and ${equalsIfGiven('target_value', given.targetValue)}
      order by id limit 1`);
  const findConnection = (level: number, condition = NO_LEVEL) =>
    findFirst(sql`
      select id as "experienceConnectionId", account_id as "accountId", experience_id as "experienceId",
        case state when 'ACTIVE' then 'INACTIVE' else 'ACTIVE' end as state, number as "telephoneNumber", number as tn
      from (select c.*, (select min(n.number) from telephone_numbers n where n.account_id = c.account_id) as number from connections c) t
      where ${hasExperienceLevel('t.experience_id', level)} and ${hasAccountLevel('t.account_id', level)} and ${condition}
        and ${equalsIfGiven('account_id', given.accountId)} and ${equalsIfGiven('experience_id', given.experienceId)}
        and ${equalsIfGiven('id', given.experienceConnectionId)} and ${equalsIfGiven('number', given.telephoneNumber ?? given.tn)}
      order by number is null, id limit 1`);

  switch (operationId) {
    case 'getExperienceAssignments':
    case 'getExperienceAssignment':
      return findAssignment(READ);
    case 'deleteExperienceAssignment':
      return findAssignment(MANAGE);
    case 'getExperienceConnections':
    case 'getExperienceConnection':
      return findConnection(READ);
    case 'updateExperienceConnection':
      return findConnection(MANAGE, given.state === undefined ? undefined : sql`state <> ${given.state}`);
    case 'deleteExperienceConnection':
      return findConnection(
        MANAGE,
        sql`not exists (select 1 from assignments s where s.experience_id = t.experience_id and s.target_type = 'PHONE_NUMBER')`,
      );
    case 'createExperienceConnection':
      return findFirst(sql`
        select a.id as "accountId", e.id as "experienceId", 'ACTIVE' as state from accounts a cross join experiences e
        where ${hasExperienceLevel('e.id', MANAGE)} and ${hasAccountLevel('a.id', MANAGE)}
          and ${equalsIfGiven('a.id', given.accountId)} and ${equalsIfGiven('e.id', given.experienceId)}
          and not exists (select 1 from connections c where c.account_id = a.id and c.experience_id = e.id) limit 1`);
    case 'getExperienceAssignability':
    case 'createExperienceAssignment': {
      const targetType = given.targetType === 'USER' || given.targetType === 'ACCOUNT' ? given.targetType : 'PHONE_NUMBER';
      const { table, value, account } = TARGET_TABLES[targetType];
      return findFirst(sql`
        select e.id as "experienceId", ${targetType} as "targetType", ${sql.ref(value)} as "targetValue"
        from experiences e cross join ${sql.table(table)} t
        where ${hasExperienceLevel('e.id', MANAGE)} and ${hasAccountLevel(account, MANAGE)}
          and ${equalsIfGiven('e.id', given.experienceId)} and ${equalsIfGiven(value, given.targetValue)}
          and not exists (select 1 from assignments s where s.target_type = ${targetType} and s.target_value = ${sql.ref(value)}) limit 1`);
    }
    case 'getUsers':
    case 'getUser':
      return findFirst(sql`
        select id as "userId", account_id as "accountId" from users t
        where ${hasAccountLevel('t.account_id', READ)} and ${equalsIfGiven('account_id', given.accountId)} order by id limit 1`);
  }
}

const TARGET_TABLES = {
  PHONE_NUMBER: { table: 'telephone_numbers', value: 't.number', account: 't.account_id' },
  USER: { table: 'users', value: 't.id', account: 't.account_id' },
  ACCOUNT: { table: 'accounts', value: 't.id', account: 't.id' },
} as const;
