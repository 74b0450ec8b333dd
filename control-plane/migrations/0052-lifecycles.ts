import { Migration } from '@mikro-orm/migrations'

/**
 * What was already done for this end of a trial is noted beside it, and forgotten with it, so that no writer can forget to.
 * Moments that name a durable process have milliseconds and no more. Of a purged tenant only its id is kept.
 */
export class Lifecycles extends Migration {
  override up(): void {
    this.addSql(`
alter table managed_teams
  add column trial_set_at timestamptz,
  add column trial_reminded smallint,
  add column trial_expired_at timestamptz;

create function note_team_moments() returns trigger language plpgsql as $$
begin
  new.trial_ends_at := date_trunc('milliseconds', new.trial_ends_at);
  new.deleted_at := date_trunc('milliseconds', new.deleted_at);
  if tg_op = 'INSERT' or new.trial_ends_at is distinct from old.trial_ends_at then
    new.trial_set_at := case when new.trial_ends_at is null then null else clock_timestamp() end;
    new.trial_reminded := null;
    new.trial_expired_at := null;
  end if;
  return new;
end $$;
create trigger managed_teams_moments before insert or update of trial_ends_at, deleted_at on managed_teams
  for each row execute function note_team_moments();

create table purged_tenants (
  tenant_id uuid primary key,
  managed_team_id uuid not null,
  reseller_id uuid not null,
  deleted_at timestamptz not null,
  purged_at timestamptz not null default clock_timestamp(),
  results_erased_at timestamptz
);
alter table purged_tenants enable row level security;
alter table purged_tenants force row level security;
grant select, insert, update on purged_tenants to vedette_platform;
create policy platform on purged_tenants to vedette_platform using (true) with check (true);

create function tell_purged() returns trigger language plpgsql as $$
begin
  perform pg_notify('purged', new.tenant_id::text);
  return null;
end $$;
create trigger purged_tenants_come after insert on purged_tenants for each row execute function tell_purged()`)
  }
}
