import { Migration } from '@mikro-orm/migrations'

const newTables = {
  second_factors: 'select, insert, update, delete',
  invitations: 'select, insert, update',
}

/** People: what they sign in with besides a password, whom a team has invited, and events that hold names and leave with them. */
export class People extends Migration {
  override up(): void {
    this.addSql(`
alter table users
  add column timezone varchar(64) not null default 'UTC',
  add column password_changed_at timestamptz;
alter table memberships
  add column invited_by uuid,
  add column updated_at timestamptz not null default now();
alter table outbox add column is_personal boolean not null default false;
create index audit_entries_person on audit_entries (user_id) where user_id is not null;

create table second_factors (
  user_id uuid primary key references users on delete cascade,
  secret text not null,
  last_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  failures smallint not null default 0,
  locked_until timestamptz,
  confirmed_at timestamptz,
  created_at timestamptz not null default now()
);

create table invitations (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  email citext not null,
  role varchar(20) not null,
  status varchar(10) not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'expired', 'revoked')),
  token_hash bytea not null unique,
  invited_by uuid,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid,
  resent_count int not null default 0,
  resent_at timestamptz[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index invitations_one_pending on invitations (tenant_id, email) where status = 'pending';
create index invitations_by_created on invitations (tenant_id, created_at desc, id desc);
create index invitations_email on invitations (email)`)

    for (const [table, grants] of Object.entries(newTables)) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(`grant select, insert, update, delete on ${table} to vedette_platform`)
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      this.addSql(`grant ${grants} on ${table} to vedette_app`)
    }
    this.addSql(
      `create policy own_tenant on invitations to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`,
    )
    this.addSql(
      `create policy own on second_factors to vedette_app using (user_id = (select current_user_id())) with check (user_id = (select current_user_id()))`,
    )
    const isTeamMate =
      'exists (select 1 from memberships m where m.user_id = second_factors.user_id and m.tenant_id = (select current_tenant()))'
    for (const verb of ['select', 'delete'])
      this.addSql(`create policy team_mates_${verb} on second_factors for ${verb} to vedette_app using (${isTeamMate})`)
    // a person signs in to several teams, and ends all of these sessions from any of them
    for (const verb of ['select', 'delete'])
      this.addSql(
        `create policy own_${verb} on tokens for ${verb} to vedette_app using (user_id = (select current_user_id()) and kind in ('ss', 'sk'))`,
      )
  }
}
