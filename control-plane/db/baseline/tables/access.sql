-- Which user belongs to which team, in which role.
create table memberships (
  user_id uuid not null references users on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  role varchar(20) not null,
  created_at timestamptz not null default now(),
  is_service boolean not null default false,
  invited_by uuid,
  updated_at timestamptz not null default now(),
  primary key (user_id, tenant_id)
);
create index memberships_tenant on memberships (tenant_id);

-- API tokens, keys and sessions, by their hash.
create table tokens (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid references users on delete cascade,
  kind varchar(3) not null,
  name varchar(255) not null,
  hash bytea not null unique,
  scopes text[] not null default '{}',
  is_active boolean not null default true,
  expires_at timestamptz,
  dies_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  rotated_from uuid references tokens on delete set null,
  created_by uuid,
  impersonated_by uuid,
  impersonating_tenant_id uuid references tenants on delete cascade,
  tail varchar(4) not null default '',
  allowed_ips text[],
  last_used_ip inet,
  rotated_at timestamptz,
  is_locked boolean not null default false,
  updated_at timestamptz not null default now()
);
create index tokens_impersonating on tokens (impersonating_tenant_id) where impersonating_tenant_id is not null;
create index tokens_of_person on tokens (user_id);
create index tokens_of_tenant on tokens (tenant_id, kind, created_at, id);
create unique index tokens_one_successor on tokens (rotated_from);

-- Invitations to a team. The mailed link has a token of its own.
create table invitations (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  email citext not null,
  role varchar(20) not null,
  status varchar(10) not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'expired',
    'revoked')),
  token_hash bytea unique,
  invited_by uuid,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid,
  resent_count int not null default 0,
  resent_at timestamptz[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  mail_hash bytea unique
);
create index invitations_by_created on invitations (tenant_id, created_at desc, id desc);
create index invitations_email on invitations (email);
create unique index invitations_one_pending on invitations (tenant_id, email) where status = 'pending';

-- Changes that may alter what a token stands for, each with its transaction. Processes that keep tokens in memory read it.
create table identity_changes (
  about bigint not null,
  xid xid8 not null default pg_current_xact_id(),
  made_at timestamptz not null default clock_timestamp()
);
create index identity_changes_by_age on identity_changes (made_at);
create index identity_changes_by_xid on identity_changes (xid);
