-- the one link that makes the operator and the first team: a new one takes the place of the earlier one
create table setup_links (
  is_only boolean primary key default true check (is_only),
  token_hash bytea not null,
  expires_at timestamptz not null
);
