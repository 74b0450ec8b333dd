-- Teams and resellers: whoever rows belong to.
create table tenants (
  id uuid primary key,
  name varchar(255) not null,
  slug varchar(100) not null unique,
  plan varchar(20) not null default 'free',
  feature_overrides jsonb not null default '{}',
  is_reseller boolean not null default false,
  paused_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  webhook_secret text,
  suspended_at timestamptz,
  suspended_reason varchar(255),
  paused_before_suspension timestamptz
);

-- What a reseller's lists show of a team. Triggers keep it, so no list has to count.
create table tenant_counts (
  tenant_id uuid primary key references tenants on delete cascade,
  reseller_id uuid,
  monitors int not null default 0,
  monitors_up int not null default 0,
  monitors_down int not null default 0,
  open_incidents int not null default 0,
  members int not null default 0
) with (fillfactor = 70);
create index tenant_counts_by_monitors on tenant_counts (reseller_id, monitors, tenant_id) include (open_incidents);

-- What a statement changed in the counts. At the end of its transaction all of that is added to `tenant_counts`.
create unlogged table count_deltas (
  changes jsonb not null
);

-- How a team, or each team of a reseller, appears to its users.
create table brandings (
  tenant_id uuid primary key references tenants on delete cascade,
  brand_name varchar(100),
  alert_prefix varchar(50),
  logo_url varchar(500),
  logo_url_dark varchar(500),
  symbol_url varchar(500),
  favicon_url varchar(500),
  footer_url varchar(500),
  privacy_url varchar(500),
  imprint_url varchar(500),
  upgrade_url varchar(500),
  support_url varchar(500),
  primary_color varchar(7),
  secondary_color varchar(7),
  footer_text varchar(200),
  hide_powered_by boolean,
  notification_from_name varchar(100),
  upsell_mode varchar(10),
  upsell_cta varchar(10),
  plan_labels jsonb,
  upsell_offers jsonb,
  upsell_threshold double precision,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Which quota notices were sent, and when.
create table quota_notices (
  tenant_id uuid not null references tenants on delete cascade,
  event varchar(40) not null,
  feature varchar(40) not null,
  notified_at timestamptz not null,
  primary key (tenant_id, event, feature)
);

-- Usage by month and metric, for plans.
create table usage_counters (
  tenant_id uuid not null references tenants on delete cascade,
  period date not null,
  metric varchar(40) not null,
  count bigint not null default 0,
  primary key (tenant_id, period, metric)
) with (fillfactor = 70);
