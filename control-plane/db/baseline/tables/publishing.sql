-- Which monthly report was mailed to whom.
create table monthly_report_mails (
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid not null references users on delete cascade,
  month char(7) not null,
  primary key (user_id, tenant_id, month)
);
create index monthly_report_mails_tenant on monthly_report_mails (tenant_id);
