-- sign-in by links that a reseller makes with a secret of the team
create table partner_sso (
  tenant_id uuid primary key references tenants on delete cascade,
  -- null: not set, so that the first link sets it
  is_enabled boolean,
  -- encrypted; null until one is made
  secret text,
  hide_password_login boolean not null default false,
  auto_register boolean,
  auto_link_existing_users boolean,
  -- after a restore of the database: earlier links may have been used, which it does not show
  links_valid_from timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

-- the links that were used; kept until long after they have expired
create table partner_sso_uses (
  tenant_id uuid not null references tenants on delete cascade,
  jti varchar(128) not null,
  expires_at timestamptz not null default clock_timestamp(),
  used_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, jti)
);
create index partner_sso_uses_by_end on partner_sso_uses (expires_at);

-- members who were registered by a link, or linked to one later
create table partner_sso_people (
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, user_id),
  foreign key (user_id, tenant_id) references memberships (user_id, tenant_id) on delete cascade
);
