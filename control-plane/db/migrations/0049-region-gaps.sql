-- The regions that each check was asked from, and since when: `region_gaps` say when none of them measured.
create table check_regions (
  check_id uuid not null references checks on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  since timestamptz not null,
  ended_at timestamptz,
  shard smallint not null,
  regions text[] not null,
  primary key (check_id, since)
);
create index check_regions_tenant on check_regions (tenant_id);

-- Times in which none of these regions measured for the checks of a shard: one row for all of them, where the history of
-- each had two. `regions` are in ascending order.
create table region_gaps (
  id bigint primary key generated always as identity,
  shard smallint not null,
  regions text[] not null,
  started_at timestamptz not null,
  ended_at timestamptz
);
create index region_gaps_of on region_gaps (shard, regions, started_at);
create unique index region_gaps_open on region_gaps (shard, regions) where ended_at is null;
