-- When each part of the service last did its work.
create table liveness (
  name varchar(40) primary key,
  at timestamptz not null
);

-- Which process decides: each that begins to takes the next epoch, and writes only while its epoch is the newest.
create table epochs (
  name varchar(40) primary key,
  epoch bigint not null
);

-- Marks that ClickHouse has too: one that it knows and this table does not shows that this database was restored from an older backup.
create table restore_marks (
  id uuid primary key,
  made_at timestamptz not null default clock_timestamp()
);

-- Rows on which a loop over many tenants failed. Each is put off and listed, and the loop goes on.
create table quarantined_rows (
  id uuid primary key default gen_random_uuid(),
  kind varchar(40) not null,
  key varchar(200) not null,
  tenant_id uuid references tenants on delete cascade,
  reason varchar(500) not null,
  since timestamptz not null default clock_timestamp(),
  last_tried_at timestamptz not null default clock_timestamp(),
  attempts int not null default 1,
  next_try_at timestamptz not null,
  unique (kind, key)
);
create index quarantined_rows_by_since on quarantined_rows (since, id);
create index quarantined_rows_due on quarantined_rows (next_try_at);
create index quarantined_rows_tenant on quarantined_rows (tenant_id);
