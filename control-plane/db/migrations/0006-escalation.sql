-- who is called when no person takes an incident: policies of steps, each with its targets
create table escalation_policies (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  is_default boolean not null default false,
  repeat_count int not null default 0,
  repeat_delay_minutes int not null,
  fallback_policy_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, id),
  foreign key (tenant_id, fallback_policy_id) references escalation_policies(tenant_id, id)
);
create index escalation_policies_by_created on escalation_policies (tenant_id, created_at, id);
create unique index escalation_policies_default on escalation_policies (tenant_id) where is_default;
create index escalation_policies_fallback on escalation_policies (tenant_id, fallback_policy_id)
  where fallback_policy_id is not null;

-- `turn` counts how often a step in round robin has called one of its targets
create table escalation_steps (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  policy_id uuid not null,
  position int not null,
  delay_minutes int not null,
  assignment varchar(11) not null default 'all' check (assignment in ('all', 'round_robin')),
  only_if jsonb,
  turn int not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (tenant_id, id),
  foreign key (tenant_id, policy_id) references escalation_policies(tenant_id, id) on delete cascade
);
create index escalation_steps_of_policy on escalation_steps (policy_id, position);

-- One of user, schedule and channel; without any the whole team. A member who leaves leaves all steps by the foreign
-- key; a schedule or channel that a step names cannot be deleted.
create table escalation_targets (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants on delete cascade,
  step_id uuid not null,
  position int not null,
  user_id uuid,
  schedule_id uuid,
  channel_id uuid,
  duty varchar(7) check (duty in ('current', 'next')),
  foreign key (tenant_id, step_id) references escalation_steps(tenant_id, id) on delete cascade,
  foreign key (user_id, tenant_id) references memberships(user_id, tenant_id) on delete cascade,
  foreign key (tenant_id, schedule_id) references on_call_schedules(tenant_id, id),
  foreign key (tenant_id, channel_id) references notification_channels(tenant_id, id)
);
create index escalation_targets_of_step on escalation_targets (step_id, position);
create index escalation_targets_of_person on escalation_targets (user_id, tenant_id) where user_id is not null;
create index escalation_targets_of_schedule on escalation_targets (tenant_id, schedule_id)
  where schedule_id is not null;
create index escalation_targets_of_channel on escalation_targets (tenant_id, channel_id) where channel_id is not null;

alter table monitors add escalation_policy_id uuid,
  add foreign key (tenant_id, escalation_policy_id) references escalation_policies(tenant_id, id);
create index monitors_escalation_policy on monitors (tenant_id, escalation_policy_id)
  where escalation_policy_id is not null;

-- The escalation of one incident. `policy_id` refers to no row: a policy that is deleted in the meantime must not make
-- the writing of a verdict fail. `step`: how many steps of this round were taken; `round` counts rounds of all policies,
-- `repeats` those of this policy after its first.
create table escalation_runs (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants on delete cascade,
  incident_id uuid not null unique references incidents on delete cascade,
  monitor_id uuid not null,
  policy_id uuid not null,
  state varchar(12) not null default 'pending'
    check (state in ('pending', 'running', 'held', 'parked', 'acknowledged', 'resolved', 'exhausted')),
  round int not null default 1,
  step int not null default 0,
  repeats int not null default 0,
  -- null: the first step was not planned yet, as the incident began suppressed
  next_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index escalation_runs_due on escalation_runs (next_at) where state in ('pending', 'running');
create index escalation_runs_going on escalation_runs (tenant_id) where state in ('pending', 'running');
create index escalation_runs_waiting on escalation_runs (id) where state in ('held', 'parked');

-- whom a step called; the key makes a second notification of one step impossible
create table escalation_notifications (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants on delete cascade,
  run_id uuid not null references escalation_runs on delete cascade,
  policy_id uuid not null,
  round int not null,
  step int not null,
  -- `user:…` or `channel:…`; `none` where the step called no target
  target varchar(50) not null,
  user_id uuid references users on delete set null,
  channel_id uuid,
  -- the row of the outbox: of the event for a channel, of the mail for a person
  outbox_id bigint,
  -- why the step called no target
  reason varchar(20),
  created_at timestamptz not null default clock_timestamp(),
  unique (run_id, round, step, target)
);
create index escalation_notifications_of_user on escalation_notifications (user_id) where user_id is not null;

-- Ends, parks and resumes the run in the transaction that changes its incident. Maintenance windows, and snoozes that
-- run out, are the matter of the loop that takes the steps.
create function follow_incident() returns trigger language plpgsql as $$
begin
  update escalation_runs r set
    state = case
      when new.resolved_at is not null then 'resolved'
      when new.acknowledged_at is not null then 'acknowledged'
      when new.notified_at is null or new.snoozed_until > clock_timestamp() then 'parked'
      when new.suppressed_by is not null then 'held'
      when r.round = 1 and r.step = 0 then 'pending'
      else 'running' end,
    next_at = case when new.resolved_at is null and new.acknowledged_at is null and new.notified_at is not null
        and new.suppressed_by is null and r.next_at is null
      then clock_timestamp() + (select s.delay_minutes * interval '1 minute' from escalation_steps s
        where s.policy_id = r.policy_id order by s.position, s.id limit 1)
      else r.next_at end,
    updated_at = clock_timestamp()
  where r.incident_id = new.id and r.state not in ('resolved', 'exhausted');
  return null;
end $$;

create trigger incidents_escalation after update on incidents for each row when (
  (old.resolved_at, old.acknowledged_at, old.snoozed_until, old.notified_at, old.suppressed_by) is distinct from
  (new.resolved_at, new.acknowledged_at, new.snoozed_until, new.notified_at, new.suppressed_by)
) execute function follow_incident();
