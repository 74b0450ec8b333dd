import { Migration } from '@mikro-orm/migrations'

/** What the kernel keeps for everybody: answers to be given again. */
export class Kernel extends Migration {
  override up(): void {
    this.addSql(idempotency)
    for (const [table, grants] of Object.entries(appGrants)) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(`grant select, insert, update, delete on ${table} to vedette_platform`)
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      if (grants) this.addSql(`grant ${grants} on ${table} to vedette_app`)
    }
    this.addSql(`create policy whose_request on idempotency_keys to vedette_app
      using (tenant_id in ((select current_tenant()), (select current_reseller())))
      with check (tenant_id in ((select current_tenant()), (select current_reseller())))`)
    this.addSql(moments)
  }
}

const appGrants: Record<string, string> = {
  idempotency_keys: 'select, insert, update',
}

const idempotency = `
create table idempotency_keys (
  tenant_id uuid not null references tenants on delete cascade,
  token_id uuid not null,
  key varchar(255) collate "C" not null,
  fingerprint bytea not null,
  status smallint,
  answer text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, token_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
`

/** Two writes within a millisecond of the API's clock still leave two moments, so that a version is never met twice. */
const moments = `
create function move_moment_on() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at + interval '1 microsecond';
  return new;
end $$;
do $$ declare found record; begin
  for found in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind = 'r' and a.attname = 'updated_at' and c.relname not in ('votes')
  loop
    execute format('create trigger move_moment_on before update of updated_at on %I for each row when (new.updated_at <= old.updated_at and new.updated_at > old.updated_at - interval ''1 minute'') execute function move_moment_on()', found.relname);
  end loop;
end $$;
`
