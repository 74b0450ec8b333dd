-- hostnames of teams at which their status pages are served
create table custom_domains (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  hostname varchar(253) not null,
  purpose varchar(20) not null default 'status_page' check (purpose = 'status_page'),
  target_id uuid,
  state varchar(12) not null default 'pending_dns'
    check (state in ('pending_dns', 'verified', 'issuing', 'active', 'failed', 'expired', 'disabled')),
  -- public: it stands in the DNS of the hostname
  txt_token varchar(43) not null,
  attempts int not null default 0,
  last_error varchar(20),
  state_changed_at timestamptz not null default clock_timestamp(),
  verified_at timestamptz,
  last_checked_at timestamptz,
  next_check_at timestamptz default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, hostname),
  foreign key (tenant_id, target_id) references status_pages(tenant_id, id) on delete set null (target_id)
);
create index custom_domains_by_created on custom_domains (tenant_id, created_at, id);
create index custom_domains_of_target on custom_domains (tenant_id, target_id) where target_id is not null;
-- any team may claim a hostname; only one can have verified it
create unique index custom_domains_verified on custom_domains (hostname) where state in ('verified', 'issuing', 'active');
create index custom_domains_due on custom_domains (next_check_at) where next_check_at is not null;

-- processes that serve pages read the hostnames again
create function notify_custom_domains() returns trigger language plpgsql as $$
begin
  perform pg_notify('custom_domains', '');
  return null;
end $$;
create trigger custom_domains_changed after update on custom_domains for each row
  when (old.state <> new.state or old.target_id is distinct from new.target_id)
  execute function notify_custom_domains();
create trigger custom_domains_deleted after delete on custom_domains for each row
  execute function notify_custom_domains();
