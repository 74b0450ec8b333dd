-- Where a team is notified.
create table notification_channels (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  type varchar(20) not null,
  config jsonb not null,
  secrets text,
  is_enabled boolean not null default true,
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  failing_notified_at timestamptz,
  unique (tenant_id, id)
);
create index notification_channels_by_created on notification_channels (tenant_id, created_at, id);

-- Which events go to which channel.
create table notification_rules (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  channel_id uuid not null,
  event_types text[] not null,
  monitor_filter jsonb,
  tenant_filter jsonb,
  is_webhook boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, channel_id) references notification_channels(tenant_id, id) on delete cascade
);
create index notification_rules_by_created on notification_rules (tenant_id, created_at, id);
create index notification_rules_channel on notification_rules (channel_id);

-- Checks that change too often to notify of each change.
create table flappings (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  check_id uuid not null references checks on delete cascade,
  started_at timestamptz not null,
  last_change_at timestamptz not null,
  notified_at timestamptz,
  forwarded_at timestamptz,
  ended_at timestamptz
);
create unique index flappings_one_now on flappings (monitor_id) where ended_at is null;
create index flappings_tenant on flappings (tenant_id);

-- Many incidents at once, notified as one.
create table storms (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  started_at timestamptz not null,
  grown_at timestamptz not null,
  monitors_total int not null,
  notified_at timestamptz,
  notified_monitors int not null default 0,
  resolved_at timestamptz
);
create unique index storms_one_now on storms (tenant_id) where resolved_at is null;
create index storms_tenant on storms (tenant_id, started_at desc);
alter table incidents add foreign key (storm_id) references storms on delete set null;

-- One message to one channel, with its attempts.
create table deliveries (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  channel_id uuid not null references notification_channels on delete cascade,
  event_id bigint,
  event varchar(60) not null,
  managed_tenant_id uuid,
  monitor_id uuid,
  body text,
  status varchar(10) not null default 'pending',
  attempts smallint not null default 0,
  replays smallint not null default 0,
  log jsonb not null default '[]',
  next_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  subject uuid,
  mailed_to text[] not null default '{}',
  unique (channel_id, event_id)
);
create index deliveries_by_created on deliveries (tenant_id, created_at desc, id desc);
create index deliveries_due on deliveries (next_at) where status in ('pending', 'retrying', 'held');
create index deliveries_held on deliveries (channel_id, subject, event_id) where status = 'held';
create index deliveries_of_channel on deliveries (channel_id, created_at desc, id desc);
create index deliveries_unfinished on deliveries (channel_id, subject)
  where status in ('pending', 'retrying', 'held') and subject is not null;

-- A team's own mail server.
create table smtp_configs (
  tenant_id uuid primary key references tenants on delete cascade,
  host varchar(255) not null,
  port int not null,
  encryption varchar(3) not null,
  username varchar(255),
  password text,
  from_address varchar(254),
  from_name varchar(100),
  failing_since timestamptz,
  failure varchar(20),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

-- Mail kept for the operator when no mail server is configured.
create table mail_sink_messages (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  recipients text[] not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  type varchar(60),
  sender text,
  html text,
  is_encrypted boolean not null default false
);
create index mail_sink_messages_by_created on mail_sink_messages (created_at desc, id desc);

-- Which mails a reseller sends itself.
create table email_suppressions (
  tenant_id uuid primary key references tenants on delete cascade,
  types text[] not null,
  updated_at timestamptz not null default clock_timestamp()
);

-- Who confirmed to get mail from a team's channels.
create table mail_recipients (
  tenant_id uuid not null references tenants on delete cascade,
  email citext not null,
  token_hash bytea unique,
  requested_at timestamptz[] not null default '{}',
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, email)
);
create index mail_recipients_by_created on mail_recipients (tenant_id, created_at);
create index mail_recipients_of_address on mail_recipients (email);

-- How many mails a team sends in a day.
create table mail_budgets (
  tenant_id uuid not null references tenants on delete cascade,
  day date not null,
  sent int not null default 0,
  kept_back int not null default 0,
  was_taken boolean not null default true,
  notified_at timestamptz,
  primary key (tenant_id, day)
) with (fillfactor = 70);
