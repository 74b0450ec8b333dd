import { Migration } from '@mikro-orm/migrations'

/** What tokens are told by besides their hash: their last characters, where they may be used and were, and what replaced them. */
export class Tokens extends Migration {
  override up(): void {
    this.addSql(`
alter table tokens
  add column tail varchar(4) not null default '',
  add column allowed_ips text[],
  add column last_used_ip inet,
  add column rotated_at timestamptz,
  add column is_locked boolean not null default false,
  add column updated_at timestamptz not null default now();
drop index tokens_tenant;
create index tokens_of_tenant on tokens (tenant_id, kind, created_at, id);
create index tokens_of_person on tokens (user_id);
create unique index tokens_one_successor on tokens (rotated_from);
create index tokens_impersonating on tokens (impersonating_tenant_id) where impersonating_tenant_id is not null`)
  }
}
