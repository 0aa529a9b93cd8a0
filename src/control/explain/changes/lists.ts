import type { Evidence } from '../../../contract/evidence.ts';
import { type Case, queryOf } from '../case.ts';
import type { ControlCall } from '../trial.ts';
import { aliasOf } from '../view.ts';
import { grants } from './access.ts';
import type { Change } from './change.ts';
import { withQuery } from './edit.ts';

type Empty = Extract<Evidence, { cause: 'empty list' }>;

const FILTERS = ['experienceId', 'targetType', 'targetValue'];

/** What would put something into a list: a grant where it is out of sight, fewer filters, or something to be listed. */
export function fill(of: Case, evidence: Empty): Change[] {
  const { hidden, total, matching } = evidence;
  if (hidden.length > 0) return hidden.flatMap((levels) => grants(of, levels, 'read'));
  const changes = total > 0 && matching === 0 ? fewerFilters(of) : [];
  return [...changes, ...created(of, evidence)];
}

function fewerFilters({ request }: Case): Change[] {
  const query = queryOf(request.path);
  const given = FILTERS.filter((name) => query.has(name));
  const all = Object.fromEntries(given.map((name) => [name, undefined]));
  return [...given.map((name) => withQuery(request, { [name]: undefined })), withQuery(request, all)];
}

function created(of: Case, { of: listed, accountId }: Empty): Change[] {
  const { world, view, request, decisions } = of;
  const query = queryOf(request.path);
  const account = accountId === undefined ? undefined : aliasOf(world.accounts, accountId);
  const asked = query.get('experienceId');
  const [own] = view.experiences('manage').length > 0 ? view.experiences('manage') : view.experiences('read');
  const experience = asked === null ? own?.alias : aliasOf(world.experiences, asked);
  switch (listed) {
    case 'users': {
      const later: ControlCall = { method: 'POST', path: '/clock/advance', body: { by: decisions['users.list.read-model-lag'] } };
      return [
        {
          text: `Create a user in the account ${account}, and wait until the list shows it.`,
          control: [{ method: 'POST', path: '/state/users', body: { account } }, later],
        },
      ];
    }
    case 'connections':
      return [
        {
          text: `Connect the account ${account} to the Experience ${experience}.`,
          control: [{ method: 'POST', path: '/state/connections', body: { account, experience } }],
        },
      ];
    case 'assignments': {
      const targetType = query.get('targetType') ?? 'ACCOUNT';
      return targetsOf(of, targetType, account).map((target) => ({
        text: `Assign the Experience ${experience} to the ${targetType} ${target}.`,
        control: [{ method: 'POST', path: '/state/assignments', body: { experience, targetType, target } }],
      }));
    }
  }
}

/** What the assignment would have to be for: the target that was asked for, or one of the account. */
function targetsOf({ world, request }: Case, targetType: string, account: string | undefined): string[] {
  const value = queryOf(request.path).get('targetValue');
  if (value !== null) return [value];
  const within = (entities: Readonly<Record<string, { account: string }>> | undefined) =>
    Object.entries(entities ?? {})
      .filter(([, one]) => one.account === account)
      .map(([alias]) => alias)
      .slice(0, 3);
  if (targetType === 'ACCOUNT') return account === undefined ? [] : [account];
  return within(targetType === 'USER' ? world.users : world.telephoneNumbers);
}

export function withoutCursor({ request }: Case): Change[] {
  return [{ ...withQuery(request, { cursor: undefined }), text: 'Leave the cursor out: begin at the first page.' }];
}
