import { Migration } from '@mikro-orm/migrations'

/** What a reseller may do beyond its own tenant: found teams, and leave word in their trails and outboxes. */
export class Resellers extends Migration {
  override up(): void {
    this.addSql(`
alter table tokens
  add column rotated_from uuid references tokens on delete set null,
  add column created_by uuid,
  add column impersonated_by uuid,
  add column impersonating_tenant_id uuid references tenants on delete cascade;
alter table users add column is_service boolean not null default false;
alter table audit_entries add column impersonator_id uuid;
alter table managed_teams add column public_id varchar(20) not null unique
  default 'VT-' || substr(upper(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=01IOilo', '')), 1, 8)`)

    for (const table of ['audit_entries', 'outbox'])
      this.addSql(`create policy by_reseller on ${table} for insert to vedette_app with check (
  tenant_id = (select current_reseller())
  or exists (select 1 from managed_teams t where t.tenant_id = ${table}.tenant_id and t.reseller_id = (select current_reseller())))`)
    this.addSql(
      `create policy founded on tenants for insert to vedette_app with check ((select current_reseller()) is not null and not is_reseller)`,
    )
    this.addSql('create policy new_people on users for insert to vedette_app with check (not is_super_admin)')
  }
}
