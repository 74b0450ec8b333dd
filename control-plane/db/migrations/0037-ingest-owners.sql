-- ingest processes that decide side by side: each with the address at which agents reach it, and the shards it owns
create table ingest_owners (
  id uuid primary key,
  url text not null,
  shards int[] not null,
  since timestamptz not null default clock_timestamp()
);
