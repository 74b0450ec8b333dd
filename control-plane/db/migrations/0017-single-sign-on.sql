-- single sign-on of a team: its members sign in at the team's own identity provider
create table sso_configs (
  tenant_id uuid primary key references tenants on delete cascade,
  protocol varchar(4) not null default 'oidc' check (protocol in ('oidc', 'saml')),
  issuer varchar(1000) not null,
  client_id varchar(255) not null,
  -- encrypted
  client_secret text,
  scopes text[] not null default '{openid,email,profile}',
  groups_claim varchar(100),
  role_map jsonb not null default '{}',
  default_role varchar(20) not null default 'member' check (default_role in ('admin', 'member', 'viewer')),
  is_jit boolean not null default true,
  is_enabled boolean not null default false,
  is_enforced boolean not null default false,
  -- an owner who may still sign in with a password
  break_glass_user_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  foreign key (break_glass_user_id, tenant_id) references memberships on delete set null (break_glass_user_id)
);
create index sso_configs_of_break_glass on sso_configs (break_glass_user_id, tenant_id)
  where break_glass_user_id is not null;

-- e-mail domains of teams, proven by a TXT record
create table sso_domains (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  domain varchar(240) not null,
  -- public: it stands in the DNS of the domain
  txt_token varchar(43) not null,
  attempts int not null default 0,
  last_error varchar(20),
  verified_at timestamptz,
  restarted_at timestamptz not null default clock_timestamp(),
  last_checked_at timestamptz,
  next_check_at timestamptz default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, domain)
);
create index sso_domains_by_created on sso_domains (tenant_id, created_at, id);
-- any team may claim a domain; only one can have proven it
create unique index sso_domains_verified on sso_domains (domain) where verified_at is not null;
create index sso_domains_due on sso_domains (next_check_at) where next_check_at is not null;

-- the person behind an account of a provider, in one team; it ends with the membership
create table sso_identities (
  tenant_id uuid not null,
  issuer varchar(1000) not null,
  subject varchar(255) not null,
  user_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  last_login_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, issuer, subject),
  foreign key (user_id, tenant_id) references memberships on delete cascade
);
create index sso_identities_of_member on sso_identities (user_id, tenant_id);

-- sign-ins that have begun: each ends once, in the browser that began it
create table sso_logins (
  state_hash bytea primary key,
  browser_hash bytea not null,
  tenant_id uuid not null references tenants on delete cascade,
  issuer varchar(1000) not null,
  expires_at timestamptz not null
);
create index sso_logins_by_end on sso_logins (expires_at);
create index sso_logins_of_tenant on sso_logins (tenant_id);

-- how the latest sign-ins of a team ended, for its administrators; without tokens and addresses
create table sso_attempts (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid references users on delete set null,
  outcome varchar(40) not null,
  detail varchar(500),
  request_id varchar(100),
  created_at timestamptz not null default clock_timestamp()
);
create index sso_attempts_by_created on sso_attempts (tenant_id, created_at, id);
create index sso_attempts_of_user on sso_attempts (user_id) where user_id is not null;
