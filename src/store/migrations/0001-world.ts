/**
 * The first version's tables. Entities are not deleted by cascade, because every deletion must cause an event. Grants and native ids are
 * deleted by cascade, because they have no events.
 */
export const worldMigration = `
create table meta (
  key text not null constraint "meta:key" primary key,
  value text not null
) strict;

create table providers (
  id text not null constraint "providers:id" primary key,
  alias text not null constraint "providers:alias" unique,
  name text not null
) strict;

create table experiences (
  id text not null constraint "experiences:id" primary key,
  alias text not null constraint "experiences:alias" unique,
  provider_id text not null constraint "experiences:provider_id>providers" references providers (id) on delete restrict,
  name text not null,
  type text not null
) strict;
create index "experiences:provider_id" on experiences (provider_id);

create table experience_grants (
  provider_id text not null constraint "experience_grants:provider_id>providers" references providers (id) on delete cascade,
  experience_id text not null constraint "experience_grants:experience_id>experiences" references experiences (id) on delete cascade,
  level integer not null,
  constraint "experience_grants:provider_id,experience_id" primary key (provider_id, experience_id)
) strict;
create index "experience_grants:experience_id" on experience_grants (experience_id);

create table clients (
  id text not null constraint "clients:id" primary key,
  alias text not null constraint "clients:alias" unique,
  provider_id text not null constraint "clients:provider_id>providers" references providers (id) on delete restrict,
  name text not null,
  settings text not null
) strict;
create index "clients:provider_id" on clients (provider_id);

create table accounts (
  id text not null constraint "accounts:id" primary key,
  alias text not null constraint "accounts:alias" unique,
  name text not null
) strict;

create table telephone_numbers (
  number text not null constraint "telephone_numbers:number" primary key,
  account_id text not null constraint "telephone_numbers:account_id>accounts" references accounts (id) on delete restrict
) strict;
create index "telephone_numbers:account_id" on telephone_numbers (account_id);

create table users (
  id text not null constraint "users:id" primary key,
  alias text not null constraint "users:alias" unique,
  account_id text not null constraint "users:account_id>accounts" references accounts (id) on delete restrict,
  first_name text not null, last_name text not null, created_at text not null, updated_at text not null, json text not null
) strict;
create index "users:account_id" on users (account_id);

-- Two users can have the same native id in different styles. A decision says which style is looked up first.
create table native_user_ids (
  native_id text not null,
  style text not null,
  user_id text not null constraint "native_user_ids:user_id>users" references users (id) on delete cascade,
  constraint "native_user_ids:native_id,style" primary key (native_id, style)
) strict;
create index "native_user_ids:user_id" on native_user_ids (user_id);

-- The table has no primary key, because after two changes within a millisecond, two versions of a user are visible from the same instant.
create table user_list (
  user_id text not null, account_id text not null,
  first_name text not null, last_name text not null, created_at text not null, updated_at text not null, json text not null,
  visible_from instant not null, visible_until instant not null
) strict;
create index "user_list:account_id,created_at,user_id" on user_list (account_id, created_at, user_id);
create index "user_list:account_id,updated_at,user_id" on user_list (account_id, updated_at, user_id);
create index "user_list:account_id,first_name,user_id" on user_list (account_id, first_name, user_id);
create index "user_list:account_id,last_name,user_id" on user_list (account_id, last_name, user_id);
create index "user_list:user_id,visible_until" on user_list (user_id, visible_until);
create index "user_list:visible_until" on user_list (visible_until);

-- The index contains every column that the sum of a count needs, so that PostgreSQL and SQLite do not read the table.
create table user_counts (account_id text not null, due_at instant not null, delta integer not null) strict;
create index "user_counts:account_id,due_at,delta" on user_counts (account_id, due_at, delta);

create table principals (
  id text not null constraint "principals:id" primary key,
  alias text not null constraint "principals:alias" unique,
  name text not null
) strict;

create table account_grants (
  principal_id text not null constraint "account_grants:principal_id>principals" references principals (id) on delete cascade,
  account_id text not null constraint "account_grants:account_id>accounts" references accounts (id) on delete cascade,
  level integer not null,
  constraint "account_grants:principal_id,account_id" primary key (principal_id, account_id)
) strict;
create index "account_grants:account_id" on account_grants (account_id);

create table assignments (
  id text not null constraint "assignments:id" primary key,
  alias text not null constraint "assignments:alias" unique,
  experience_id text not null constraint "assignments:experience_id>experiences" references experiences (id) on delete restrict,
  account_id text not null constraint "assignments:account_id>accounts" references accounts (id) on delete restrict,
  target_type text not null,
  target_value text not null,
  agent_number text constraint "assignments:agent_number" unique,
  updated_at text not null,
  json text not null,
  constraint "assignments:experience_id,target_type,target_value" unique (experience_id, target_type, target_value)
) strict;
create index "assignments:account_id,id" on assignments (account_id, id);
create index "assignments:account_id,experience_id,id" on assignments (account_id, experience_id, id);
create index "assignments:account_id,target_type,id" on assignments (account_id, target_type, id);
create index "assignments:account_id,experience_id,target_type,id" on assignments (account_id, experience_id, target_type, id);
create index "assignments:target_type,target_value,id" on assignments (target_type, target_value, id);

create table connections (
  id text not null constraint "connections:id" primary key,
  alias text not null constraint "connections:alias" unique,
  account_id text not null constraint "connections:account_id>accounts" references accounts (id) on delete restrict,
  experience_id text not null constraint "connections:experience_id>experiences" references experiences (id) on delete restrict,
  state text not null,
  updated_at text not null,
  constraint "connections:account_id,experience_id" unique (account_id, experience_id)
) strict;
create index "connections:account_id,id" on connections (account_id, id);
create index "connections:experience_id" on connections (experience_id);

create table subscriptions (
  id text not null constraint "subscriptions:id" primary key,
  alias text not null constraint "subscriptions:alias" unique,
  provider_id text not null constraint "subscriptions:provider_id>providers" references providers (id) on delete restrict,
  experience_id text constraint "subscriptions:experience_id>experiences" references experiences (id) on delete restrict,
  types text not null,
  destination_url text
) strict;
create index "subscriptions:provider_id" on subscriptions (provider_id);
create index "subscriptions:experience_id" on subscriptions (experience_id);

create table events (
  id text not null constraint "events:id" primary key,
  type text not null, timestamp text not null, provider_id text not null, experience_id text not null, entity_id text not null, data text not null
) strict;
create index "events:entity_id" on events (entity_id);

create table deliveries (
  id text not null constraint "deliveries:id" primary key,
  event_id text not null constraint "deliveries:event_id>events" references events (id) on delete cascade,
  subscription_id text not null,
  body text not null,
  created_at text not null,
  constraint "deliveries:subscription_id,event_id" unique (subscription_id, event_id)
) strict;
create index "deliveries:event_id" on deliveries (event_id);`;
