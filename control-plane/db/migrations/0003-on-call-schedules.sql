-- who is on call: schedules of rotations, and overrides of them
create table on_call_schedules (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  timezone varchar(64) not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id)
);
create index on_call_schedules_by_created on on_call_schedules (tenant_id, created_at, id);

create table on_call_rotations (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  schedule_id uuid not null,
  position int not null,
  name varchar(255) not null,
  handoff varchar(10) not null,
  shift_minutes int,
  first_handoff_at varchar(16) not null,
  restrictions jsonb not null,
  starts_at timestamptz,
  ends_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id),
  check ((handoff = 'custom') = (shift_minutes is not null)),
  foreign key (tenant_id, schedule_id) references on_call_schedules(tenant_id, id) on delete cascade
);
create index on_call_rotations_of_schedule on on_call_rotations (schedule_id, position);

-- who leaves the team leaves all rotations, overrides and calendars in the same transaction, by these foreign keys
create table on_call_rotation_users (
  rotation_id uuid not null,
  user_id uuid not null,
  tenant_id uuid not null references tenants on delete cascade,
  position int not null,
  primary key (rotation_id, user_id),
  foreign key (tenant_id, rotation_id) references on_call_rotations(tenant_id, id) on delete cascade,
  foreign key (user_id, tenant_id) references memberships(user_id, tenant_id) on delete cascade
);
create index on_call_rotation_users_of_person on on_call_rotation_users (user_id, tenant_id);

create table on_call_overrides (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  schedule_id uuid not null,
  user_id uuid not null,
  replaces_user_id uuid,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  reason varchar(255),
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  foreign key (tenant_id, schedule_id) references on_call_schedules(tenant_id, id) on delete cascade,
  foreign key (user_id, tenant_id) references memberships(user_id, tenant_id) on delete cascade,
  foreign key (replaces_user_id, tenant_id) references memberships(user_id, tenant_id) on delete cascade
);
create index on_call_overrides_of_schedule on on_call_overrides (schedule_id, ends_at);
create index on_call_overrides_of_person on on_call_overrides (user_id, tenant_id);
create index on_call_overrides_of_replaced on on_call_overrides (replaces_user_id, tenant_id)
  where replaces_user_id is not null;

-- the calendar of one person in one team, read by a secret address
create table on_call_calendars (
  user_id uuid not null,
  tenant_id uuid not null references tenants on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  primary key (user_id, tenant_id),
  foreign key (user_id, tenant_id) references memberships(user_id, tenant_id) on delete cascade
);
create index on_call_calendars_of_tenant on on_call_calendars (tenant_id);
