-- People, and the service users that stand for a reseller in its teams.
create table users (
  id uuid primary key,
  name varchar(255) not null,
  email citext not null,
  password_hash text,
  language varchar(10) not null default 'en',
  is_super_admin boolean not null default false,
  home_tenant_id uuid references tenants on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_service boolean not null default false,
  timezone varchar(64) not null default 'UTC',
  password_changed_at timestamptz,
  digest varchar(6) not null default 'off' check (digest in ('off', 'daily', 'weekly')),
  digest_at timestamptz,
  monthly_report boolean not null default false,
  monthly_report_at timestamptz,
  email_verified_at timestamptz
);
create index users_digest_due on users (digest_at) where digest <> 'off';
create index users_email on users (email);
create index users_monthly_report_due on users (monthly_report_at) where monthly_report;
create unique index users_proven_email on users (email) where email_verified_at is not null;

-- The authenticator of a user.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  secret text not null,
  last_step bigint not null default 0,
  recovery_hashes bytea[] not null default '{}',
  confirmed_at timestamptz,
  created_at timestamptz not null default now()
);

-- Devices that a user has signed in from, by a hash.
create table known_devices (
  user_id uuid not null references users on delete cascade,
  fingerprint bytea not null,
  last_seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, fingerprint)
);

-- Networks that a user has signed in from, by a hash.
create table known_networks (
  user_id uuid not null references users on delete cascade,
  fingerprint bytea not null,
  last_seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, fingerprint)
);

-- Wrong passwords and codes by account and by network. They are counts of minutes: a crash of PostgreSQL may lose them.
create unlogged table guesses (
  key bytea primary key,
  times timestamptz[] not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index guesses_by_end on guesses (ends_at);

-- Links in mails that let a user set a new password.
create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index password_resets_user on password_resets (user_id);

-- An address that a user asked for and has not confirmed.
create table email_changes (
  user_id uuid primary key references users on delete cascade,
  email citext not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  requested_at timestamptz not null default clock_timestamp()
);

-- Links in the notices to a former address. Each takes a change of the address back, before and after it took effect.
create table email_reverts (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  email citext not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  proven_at timestamptz
);
create index email_reverts_by_end on email_reverts (expires_at);
create index email_reverts_of_user on email_reverts (user_id, requested_at);

-- Links that prove an address. An address belongs to the account that has proven it; others may share it until then.
create table email_verifications (
  user_id uuid primary key references users on delete cascade,
  token_hash bytea not null unique,
  sent_at timestamptz[] not null default '{}',
  expires_at timestamptz not null
);
