-- Ingest processes that share the shards, each as it says of itself every few seconds. `reached_at`: when an
-- agent reached it last; `stands_aside`: it gave its shards up, as no agent reached it and others were reached.
create table ingest_members (
  id uuid primary key,
  url text not null,
  shards int[] not null,
  reached_at timestamptz,
  stands_aside boolean not null,
  lacks text,
  noted_at timestamptz not null
);
