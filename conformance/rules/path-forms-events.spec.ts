import type { PathForm } from '../../src/contract/generated/operations.ts';
import { assignmentChanges } from '../actors/assignment-changes.ts';
import type { Parts } from '../actors/change-parts.ts';
import type { Client } from '../actors/client.ts';
import { connectionChanges } from '../actors/connection-changes.ts';
import { createAssignments } from '../actors/make-assignment.ts';
import { createConnections } from '../actors/make-connection.ts';
import { comes } from '../expect/reaches.ts';
import { type Change, told } from '../expect/told.ts';
import { test } from '../runner/events-test.ts';
import { rule } from '../runner/rule.ts';
import type { Ledger } from '../target/ledger.ts';
import { notTestable } from '../target/not-testable.ts';

/** The same parts, with which everything is written through one path form, and nothing in any other way. */
function through(form: PathForm, { ledger, ...parts }: Parts & { readonly ledger: Ledger }): Parts {
  const { need } = parts;
  const api: Client = { ...parts.api, form, call: (operation, call) => parts.api.call(operation, { ...call, form }) };
  const connections = createConnections(api, need, ledger, notTestable);
  return { ...parts, api, connections, assignments: createAssignments(api, need, ledger), has: () => false };
}

/** A connection and an assignment are created, changed and deleted: each is known by its own id, as both forms may be about the same Experience. */
async function* written(parts: Parts): AsyncGenerator<Change> {
  for await (const change of connectionChanges(parts)) yield { ...change, ids: [change.connection.id] };
  for await (const change of assignmentChanges(parts)) yield { ...change, ids: [change.assignment.id] };
}

test(
  'Both path forms are the same operation: what is written through one publishes what it publishes through the other.',
  rule('http.path-forms.same-operation'),
  async ({ api, ledger, parts }) => {
    const other = api.form === 'flat' ? 'prefixed' : 'flat';
    for await (const change of written(through(api.form, { ...parts, ledger }))) await told(change);
    for await (const change of written(through(other, { ...parts, ledger })))
      await comes({ inbox: change.inbox, where: `of what is written through the ${other} form` }, change);
  },
);
