export const laterMigrations = {
  '0002-authorization': `
    alter table principals add column telephone_number text;
    alter table principals add column consent text not null default 'gives';
    create unique index "principals:telephone_number" on principals (telephone_number);

    create table oauth_artifacts (
      kind text not null,
      id text not null,
      grant_id text,
      payload text not null,
      expires_at instant not null,
      consumed_at instant,
      constraint "oauth_artifacts:kind,id" primary key (kind, id)
    ) strict;
    create index "oauth_artifacts:grant_id" on oauth_artifacts (grant_id);
    create index "oauth_artifacts:expires_at" on oauth_artifacts (expires_at);

    create table oauth_revocations (
      grant_id text not null constraint "oauth_revocations:grant_id" primary key,
      revoked_at instant not null
    ) strict;
    create index "oauth_revocations:revoked_at" on oauth_revocations (revoked_at);

    create table oauth_assertions (
      id text not null constraint "oauth_assertions:id" primary key,
      expires_at instant not null
    ) strict;
    create index "oauth_assertions:expires_at" on oauth_assertions (expires_at);`,

  '0003-deliveries': `
    alter table deliveries add column state text not null default 'pending';
    alter table deliveries add column attempts integer not null default 0;
    alter table deliveries add column due_at instant not null default 0;
    alter table deliveries add column claim text;
    alter table deliveries add column claimed_until instant;
    create index "deliveries:state,due_at" on deliveries (state, due_at);
    create index "deliveries:state,subscription_id,due_at,id" on deliveries (state, subscription_id, due_at, id);

    create table delivery_attempts (
      id text not null constraint "delivery_attempts:id" primary key,
      delivery_id text not null constraint "delivery_attempts:delivery_id>deliveries" references deliveries (id) on delete cascade,
      number integer not null,
      at text not null,
      duration_ms integer not null,
      status integer,
      error text,
      next_at text
    ) strict;
    create index "delivery_attempts:delivery_id" on delivery_attempts (delivery_id);

    create table inbox (
      id text not null constraint "inbox:id" primary key,
      delivery_id text not null constraint "inbox:delivery_id>deliveries" references deliveries (id) on delete cascade,
      subscription_id text not null,
      received_at text not null,
      headers text not null,
      body text not null
    ) strict;
    create index "inbox:delivery_id" on inbox (delivery_id);
    create index "inbox:subscription_id" on inbox (subscription_id);`,

  // The table has no foreign keys, so loading a world keeps the snapshots.
  '0004-snapshots': `
    create table snapshots (
      name text not null constraint "snapshots:name" primary key,
      saved_at text not null,
      world text not null,
      entities text not null,
      content text not null
    ) strict;`,

  '0005-delivery-modes': `
    create table delivery_modes (
      subscription_id text not null constraint "delivery_modes:subscription_id" primary key,
      mode text not null,
      one_by_one integer not null,
      ordinal integer not null,
      opened_at instant not null
    ) strict;`,

  '0006-delivery-headers': 'alter table deliveries add column headers text;',

  // The indexes contain only pending or held deliveries, so that updates are fast.
  '0007-pending-deliveries': `
    drop index "deliveries:state,due_at";
    drop index "deliveries:state,subscription_id,due_at,id";
    create index "deliveries:due_at:pending" on deliveries (due_at) where state = 'pending';
    create index "deliveries:subscription_id,due_at,id:first" on deliveries (subscription_id, due_at, id)
      where state = 'pending' and attempts = 0;
    create index "deliveries:subscription_id,due_at,id:repeat" on deliveries (subscription_id, due_at, id)
      where state = 'pending' and attempts > 0;
    create index "deliveries:subscription_id,id:held" on deliveries (subscription_id, id) where state = 'held';`,

  // Moves the delivery modes to `subscriptions` and adds signing secrets there, so that loading a world replaces both.
  '0008-subscription-modes': `
    alter table subscriptions add column secret text;
    alter table subscriptions add column mode text;
    alter table subscriptions add column reorder_ordinal integer;
    alter table subscriptions add column reorder_opened_at instant;
    update subscriptions set mode = delivery_modes.mode,
      reorder_ordinal = case when one_by_one = 1 then ordinal end,
      reorder_opened_at = case when one_by_one = 1 then opened_at end
      from delivery_modes where subscription_id = subscriptions.id;
    drop table delivery_modes;`,

  // With the old index, a page required sorting all of an account's users.
  '0009-users-of-account': `
    create index "users:account_id,alias" on users (account_id, alias);
    drop index "users:account_id";`,

  // A removed fault's number is not reused.
  '0010-faults': `
    create table faults (
      number integer constraint "faults:number" primary key autoincrement,
      fault text not null,
      seen integer not null
    ) strict;`,

  // The rate windows that replicas share. Unlogged, because they last a second and need not survive a crash.
  '0011-rate-windows': {
    postgres: `
    create unlogged table rate_windows (
      load text not null,
      credential text not null,
      at double precision not null,
      free_at double precision[] not null,
      passed integer not null,
      used_at timestamptz not null,
      constraint "rate_windows:load,credential" primary key (load, credential)
    );`,
  },

  // The journal that replicas share. `position` is 1024 times the id of the inserting transaction, plus the entry's index. The content is
  // not compressed, because most entries are removed unread.
  '0012-journal': {
    postgres: `
    create table journal_entries (
      position bigint not null constraint "journal_entries:position" primary key,
      recorded_at instant not null,
      trace_id text not null,
      content json not null
    );
    alter table journal_entries alter column content set storage external;
    alter table journal_entries set (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);
    create index "journal_entries:trace_id" on journal_entries (trace_id);
    create table journal (run text not null, salt text not null, removed bigint not null);
    insert into journal (run, salt, removed) values (gen_random_uuid(), gen_random_uuid(), 0);`,
  },

  '0013-actors': `
    alter table events add column actor text;
    create table changes (
      id text not null constraint "changes:id" primary key,
      at text not null,
      collection text not null,
      entity_id text not null,
      alias text not null,
      action text not null,
      actor text not null
    ) strict;
    create index "changes:entity_id" on changes (entity_id);
    create index "changes:alias" on changes (alias);`,

  // SQLite's index contains every column that a page query reads, which avoids reading the table. On PostgreSQL, an index row may have at
  // most 2704 bytes, which is too few.
  '0014-assignment-pages': {
    sqlite: `
    drop index "assignments:account_id,id";
    create index "assignments:account_id,id" on assignments (account_id, id, experience_id, json);`,
  },

  // Finds the ended deliveries of old events without reading their pending ones (events/history.ts).
  '0015-ended-deliveries': `
    create index "deliveries:event_id:ended" on deliveries (event_id) where state in ('acknowledged', 'exhausted');`,
};
