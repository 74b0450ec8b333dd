-- Answers that are given again to a request with the same key.
create table idempotency_keys (
  tenant_id uuid not null references tenants on delete cascade,
  token_id uuid not null,
  key varchar(255) collate "C" not null,
  fingerprint bytea not null,
  status smallint,
  answer text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, token_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Requests of the last minute by key. A crash of PostgreSQL may lose them.
create unlogged table rate_windows (
  key bytea primary key,
  slots bigint[] not null default '{}',
  counts int[] not null default '{}',
  ends_at bigint not null default 0
) with (fillfactor = 50);
