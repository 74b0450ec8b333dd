import { Migration } from '@mikro-orm/migrations'

/** Who wants the report of each month by mail, when the next is due, and of which months somebody has got which team's. */
export class Months extends Migration {
  override up(): void {
    this.addSql(`
alter table users
  add column monthly_report boolean not null default false,
  -- when the next one is due
  add column monthly_report_at timestamptz;
create index users_monthly_report_due on users (monthly_report_at) where monthly_report;

create table monthly_report_mails (
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid not null references users on delete cascade,
  month char(7) not null,
  primary key (user_id, tenant_id, month)
);
create index monthly_report_mails_tenant on monthly_report_mails (tenant_id);
alter table monthly_report_mails enable row level security;
alter table monthly_report_mails force row level security;
grant select, insert, update, delete on monthly_report_mails to vedette_platform;
create policy platform on monthly_report_mails to vedette_platform using (true) with check (true)`)
  }
}
