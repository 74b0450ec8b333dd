-- an override may be limited to what one escalation policy calls; null: it always counts
alter table on_call_overrides add column policy_id uuid,
  add foreign key (tenant_id, policy_id) references escalation_policies (tenant_id, id) on delete cascade;
create index on_call_overrides_of_policy on on_call_overrides (tenant_id, policy_id) where policy_id is not null;
