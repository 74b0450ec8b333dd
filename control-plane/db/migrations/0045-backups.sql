-- when the last backups were made, for the metric and the alert on their age
create table backups (
  id uuid primary key,
  made_at timestamptz not null,
  noted_at timestamptz not null default clock_timestamp(),
  -- null: made by other means, and noted by an operator
  bytes bigint
);
