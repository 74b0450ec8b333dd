-- Events and tasks, stored with the change that caused them and handed on afterwards.
create table outbox (
  id bigint primary key generated always as identity,
  tenant_id uuid not null references tenants on delete cascade,
  kind varchar(10) not null,
  name varchar(60) not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  error text,
  is_personal boolean not null default false,
  audience varchar(10) not null default 'all' check (audience in ('all', 'team', 'reseller')),
  only_with varchar(60),
  only_without varchar(60),
  dead_at timestamptz,
  dead_id uuid,
  waits int not null default 0
);
create unique index outbox_dead on outbox (dead_id) where dead_id is not null;
create index outbox_dead_by_moment on outbox (dead_at, id) where dead_at is not null;
create index outbox_mails on outbox (next_at, id) where done_at is null and kind = 'mail';
create index outbox_open on outbox (next_at, id) where done_at is null;
create index outbox_open_of_monitor on outbox ((payload ->> 'monitor_id'), id)
  where coalesce(done_at, 'infinity') = 'infinity' and kind = 'event';

-- The audit trail. Entries are added and redacted, never edited.
create table audit_entries (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid,
  token_id uuid,
  action varchar(60) not null,
  entity_type varchar(40) not null,
  entity_id uuid,
  changes jsonb,
  ip inet,
  request_id varchar(64),
  created_at timestamptz not null default now(),
  impersonator_id uuid
);
create index audit_entries_entity on audit_entries (tenant_id, entity_type, entity_id, created_at);
create index audit_entries_person on audit_entries (user_id) where user_id is not null;
create index audit_entries_tenant on audit_entries (tenant_id, created_at desc, id desc);

-- The newest link of each tenant's audit chain.
create table audit_heads (
  tenant_id uuid primary key references tenants on delete cascade,
  seq bigint not null default 0,
  hash bytea not null default '\x',
  changed_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- The audit chain: each hash covers the one before and the entry. What may be redacted is covered through a salted mark.
create table audit_links (
  tenant_id uuid not null references tenants on delete cascade,
  seq bigint not null,
  entry_id uuid not null,
  is_redaction boolean not null default false,
  ip_salt bytea,
  ip_mark bytea,
  request_salt bytea,
  request_mark bytea,
  changes_salt bytea,
  changes_mark bytea,
  hash bytea not null,
  primary key (tenant_id, seq)
);
create index audit_links_entry on audit_links (entry_id);
