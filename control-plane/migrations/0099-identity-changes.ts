import { Migration } from '@mikro-orm/migrations'

/**
 * Whom changes were about that may alter what a token stands for, each with the transaction that made it: whoever has looked a token up
 * before asks what has happened since, and need not look it up again. Nothing of a tenant is kept here: whom a change was about is told by
 * a hash, and to take another's for one's own only makes one look again.
 */
export class IdentityChanges extends Migration {
  override up(): void {
    this.addSql(`
create function identity_key(id uuid) returns bigint language sql immutable strict parallel safe return hashtextextended(id::text, 0);

create table identity_changes (
  about bigint not null,
  xid xid8 not null default pg_current_xact_id(),
  made_at timestamptz not null default clock_timestamp()
);
create index identity_changes_by_xid on identity_changes (xid);
create index identity_changes_by_age on identity_changes (made_at);
alter table identity_changes enable row level security;
alter table identity_changes force row level security;
grant select, delete on identity_changes to vedette_platform;
create policy platform on identity_changes to vedette_platform using (true) with check (true);
create policy upkeep on identity_changes to current_user using (true) with check (true);

create function tell_identity() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then insert into identity_changes (about) values (identity_key((to_jsonb(old) ->> tg_argv[0])::uuid)); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or to_jsonb(new) -> tg_argv[0] <> to_jsonb(old) -> tg_argv[0]) then
    insert into identity_changes (about) values (identity_key((to_jsonb(new) ->> tg_argv[0])::uuid));
  end if;
  return null;
end $$`)
    for (const [table, { about, inserts, changed }] of Object.entries(told)) {
      const tell = `execute function tell_identity('${about}')`
      this.addSql(
        `create trigger ${table}_tell_identity_end after delete${inserts ? ' or insert' : ''} on ${table} for each row ${tell}`,
      )
      this.addSql(
        `create trigger ${table}_tell_identity_change after update on ${table} for each row when (${changed}) ${tell}`,
      )
    }
  }
}

const differs = (...columns: string[]) =>
  columns.map(column => `old.${column} is distinct from new.${column}`).join(' or ')

/**
 * By table: the column that says whom a row is about, whether a new row can change what an old token stands for, and which changes do.
 * A token that is noted as used, and a session that so lives longer, stays what it is.
 */
const told: Record<string, { about: string; inserts?: true; changed: string }> = {
  tokens: {
    about: 'id',
    changed: `${differs('tenant_id', 'user_id', 'kind', 'hash', 'scopes', 'is_active', 'dies_at', 'allowed_ips', 'is_locked', 'impersonated_by', 'impersonating_tenant_id')}
      or ${differs('expires_at')} and not (new.kind = 'ss' and coalesce(new.expires_at > old.expires_at, false))`,
  },
  tenants: { about: 'id', changed: differs('name', 'slug', 'plan', 'feature_overrides', 'is_reseller', 'deleted_at') },
  users: { about: 'id', changed: differs('name', 'email', 'is_super_admin', 'language') },
  memberships: { about: 'user_id', inserts: true, changed: differs('user_id', 'tenant_id', 'role') },
  managed_teams: { about: 'tenant_id', inserts: true, changed: differs('tenant_id', 'reseller_id', 'deleted_at') },
}
