import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import type { SaboteursOf } from '../saboteur.ts';
import { connectionsCreate } from './connections-create.ts';
import { connectionsCreateRefusals } from './connections-create-refusals.ts';
import { connectionsDelete } from './connections-delete.ts';
import { connectionsGet } from './connections-get.ts';
import { connectionsPages } from './connections-pages.ts';
import { connectionsQuery } from './connections-query.ts';
import { connectionsScope } from './connections-scope.ts';
import { connectionsSelection } from './connections-selection.ts';
import { connectionsShape } from './connections-shape.ts';
import { connectionsUpdate } from './connections-update.ts';
import { connectionsUpdateRefusals } from './connections-update-refusals.ts';

/** Servers that break one rule each. */
export const connections: SaboteursOf<Extract<TestableRuleId['openapi'], `connections.${string}`>> = {
  ...connectionsScope,
  ...connectionsShape,
  ...connectionsSelection,
  ...connectionsPages,
  ...connectionsQuery,
  ...connectionsCreate,
  ...connectionsCreateRefusals,
  ...connectionsGet,
  ...connectionsUpdate,
  ...connectionsUpdateRefusals,
  ...connectionsDelete,
};
