-- Passkeys of people, each for one domain. public_key is COSE; counter is that of the authenticator, 0 where it has none.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  rp_id varchar(253) not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null default 0,
  is_backup_eligible boolean not null default false,
  is_backed_up boolean not null default false,
  transports text[] not null default '{}',
  aaguid uuid not null,
  name varchar(100) not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  unique (rp_id, credential_id)
);
create index passkeys_of_user on passkeys (user_id, created_at, id);

-- Challenges that a browser is to sign, by a hash, each for one answer within minutes: a crash of PostgreSQL may lose
-- them. A challenge to sign in belongs to no user.
create unlogged table passkey_challenges (
  challenge_hash bytea primary key,
  purpose varchar(8) not null default 'sign_in' check (purpose in ('register', 'sign_in')),
  user_id uuid,
  rp_id varchar(253) not null,
  expires_at timestamptz not null
);
create index passkey_challenges_by_end on passkey_challenges (expires_at);
