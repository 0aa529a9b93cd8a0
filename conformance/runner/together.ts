import { setTimeout as pause } from 'node:timers/promises';
import type { TestInfo } from '@playwright/test';
import { RuleBroken } from '../../src/expect/rule-broken.ts';
import type { Events } from '../actors/event-subscriptions.ts';
import type { Inbox } from '../actors/inbox.ts';
import type { Participants } from '../actors/participants.ts';
import { addReport, type CheckReport, createReport, getReport, runWithReport, withdraw } from '../target/check-report.ts';
import { SILENCE_TAG } from './rule.ts';

export type CheckBody = (fixtures: object, check: TestInfo) => Promise<void>;

interface Fixtures {
  readonly events: Events;
  readonly participants: Participants;
}

interface Member {
  readonly body: CheckBody;
  readonly isSelected: () => boolean;
}

export interface Group {
  /** Runs all checks of the group at the same time. */
  readonly run: CheckBody;
  /** @returns the body of a check that passes if it has passed in `run`. Otherwise, the check runs again, alone, so that its failure is its own. */
  add(member: Member): CheckBody;
}

/** Returns a group of checks that mostly wait. */
export function createGroup(tag: string): Group {
  const members: Member[] = [];
  const passed = new Map<CheckBody, CheckReport>();
  const broken = new Map<CheckBody, RuleBroken>();

  const run: CheckBody = async (fixtures, check) => {
    const given = fixtures as Fixtures;
    const shared = tag === SILENCE_TAG ? shareDefaultInbox(given) : given;
    const runMember = async ({ body }: Member) => {
      const report = createReport();
      // The check also needs what its fixtures needed.
      if (readFixtureNames(body).some((name) => name === 'events' || name === 'participants')) addReport(report, getReport(check));
      await runWithReport(report, () => body(shared, check)).then(
        () => void passed.set(body, report),
        (error) => void (error instanceof RuleBroken && broken.set(body, error)),
      );
    };
    await Promise.all(members.filter(({ isSelected }) => isSelected()).map(runMember));
  };

  return {
    run: Object.assign(run, {
      toString: () => `async ({ ${[...new Set(members.flatMap(({ body }) => readFixtureNames(body)))]} }) => {}`,
    }),
    add(member) {
      members.push(member);
      return async (fixtures, check) => {
        const report = passed.get(member.body);
        if (report !== undefined) return addReport(getReport(check), report);
        // In a random order, a check may run before its group, which then need not run it.
        members.splice(members.indexOf(member), 1);
        const withdrawn = broken.get(member.body);
        if (withdrawn) withdraw(withdrawn);
        await member.body(fixtures, check);
      };
    },
  };
}

/** Lets the checks share one inbox, because each additional one would get the events of all checks. */
function shareDefaultInbox<Given extends Fixtures>(given: Given): Given {
  let open: Events['openDefaultInbox'] | undefined;
  const openDefaultInbox = () => {
    open ??= share(async () => shareQuietPeriods(await given.events.openDefaultInbox()));
    return open();
  };
  const events = { ...given.events, openDefaultInbox };
  return { ...given, events, participants: { ...given.participants, events } };
}

/** @returns a function that returns the action's result, and adds what the action needed to the report of the check that calls the function */
function share<Result>(action: () => Promise<Result>): () => Promise<Result> {
  const report = createReport();
  const acting = runWithReport(report, action);
  return async () => {
    const result = await acting;
    addReport(getReport(), report);
    return result;
  };
}

/** The time, in milliseconds, in which checks gather for the next quiet period. */
const GATHERING_MS = 300;

/** Lets the checks that call `settle` at about the same time share the change that ends their quiet period. */
function shareQuietPeriods(inbox: Inbox): Inbox {
  const { settle } = inbox;
  let next: Inbox['settle'] | undefined;
  const gather = async () => {
    await pause(GATHERING_MS);
    next = undefined;
    return settle();
  };
  const join = () => {
    next ??= share(gather);
    return next();
  };
  return Object.assign(inbox, { settle: join });
}

/** Reads the names of the fixtures as Playwright does: from the pattern of the first parameter. */
function readFixtureNames(body: CheckBody): readonly string[] {
  const [, names = ''] = /\{([^}]*)\}/.exec(String(body)) ?? [];
  return names.split(',').flatMap((name) => name.split(':')[0]?.trim() || []);
}
