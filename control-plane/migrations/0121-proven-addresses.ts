import { Migration } from '@mikro-orm/migrations'

/**
 * An address belongs to the account that has proven it. Accounts that have not may share it, each in the team that it was made for.
 * An invitation's mailed link carries a token of its own: only who reads the mailbox has it.
 */
export class ProvenAddresses extends Migration {
  override up(): void {
    this.addSql(`
alter table users add column email_verified_at timestamptz;
update users set email_verified_at = created_at where not is_service;
alter table users drop constraint users_email_key;
create unique index users_proven_email on users (email) where email_verified_at is not null;
create index users_email on users (email);
drop policy new_people on users;
create policy new_people on users for insert to vedette_app with check (not is_super_admin and email_verified_at is null);

alter table email_reverts add column proven_at timestamptz;
update email_reverts r set proven_at = u.email_verified_at from users u where u.id = r.user_id;

alter table invitations
  alter column token_hash drop not null,
  add column mail_hash bytea unique;

create table email_verifications (
  user_id uuid primary key references users on delete cascade,
  token_hash bytea not null unique,
  sent_at timestamptz[] not null default '{}',
  expires_at timestamptz not null
);
alter table email_verifications enable row level security;
alter table email_verifications force row level security;
grant select, insert, update, delete on email_verifications to vedette_platform;
create policy platform on email_verifications to vedette_platform using (true) with check (true);
grant insert on email_verifications to vedette_app;
create policy new_people on email_verifications for insert to vedette_app with check (
  exists (select 1 from memberships m where m.user_id = email_verifications.user_id and m.tenant_id = (select current_tenant())))`)
  }
}
