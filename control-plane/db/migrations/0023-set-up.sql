-- the one link that makes the operator and the first team: a new one takes the place of the earlier one
create table setup_links (
  is_only boolean primary key default true check (is_only),
  token_hash bytea not null,
  expires_at timestamptz not null
);

-- what each process of the control plane last said of itself, for the operator; without a row a process has ended
create unlogged table process_reports (
  id uuid primary key,
  started_at timestamptz not null,
  reported_at timestamptz not null default clock_timestamp(),
  report jsonb not null
);
