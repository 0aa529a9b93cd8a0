import pg from 'pg';

/** Makes `clock_timestamp()` return the time stored by `set`, in all new connections to the database. */
export async function stopServerClock(database: string) {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { pathname } = new URL(database);
  await client.query(`
    create table server_clock (at timestamptz not null);
    insert into server_clock values (to_timestamp(1800000000));
    create function public.clock_timestamp() returns timestamptz volatile language sql as 'select at from public.server_clock';
    alter database ${client.escapeIdentifier(pathname.slice(1))} set search_path = public, pg_catalog`);
  return {
    set: async (wallClockMs: number) =>
      void (await client.query('update server_clock set at = to_timestamp($1::float8 / 1000)', [wallClockMs])),
    close: () => client.end(),
  };
}
