import { type EntityType, toAccessGrants, toLevelNames } from '../entity.ts';

export const principals: EntityType<'principals', never> = {
  references: {},
  affectsCallers: true,
  parts: {
    table: 'account_grants',
    orderBy: ['named'],
    levels: { member: 'accounts', collection: 'accounts' },
    toRows: ({ id, levels }) => toAccessGrants(levels).map(([account_id, level]) => ({ principal_id: id, account_id, level })),
  },
  unique: [
    {
      columns: ['telephone_number'],
      getPath: () => ['telephoneNumber'],
      createMessage: (_, other) =>
        `The principal "${other}" logs in with this number. Give each principal its own number, or omit the number.`,
    },
  ],
  toRow: ({ entity: { name, telephoneNumber = null, consent = 'gives' } }) => ({ name, telephone_number: telephoneNumber, consent }),
  toMembers({ name, telephone_number, consent, parts }) {
    return {
      name,
      ...(telephone_number !== null && { telephoneNumber: telephone_number }),
      ...(consent !== 'gives' && { consent }),
      ...(parts.length > 0 && { accounts: Object.fromEntries(toLevelNames(parts)) }),
    };
  },
};
