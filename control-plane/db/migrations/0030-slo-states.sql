-- how the error budget of each monitor with an objective was when it was examined last, and when it is examined next
create table slo_states (
  monitor_id uuid primary key references monitors on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  -- unknown: not examined yet; what began before is no news
  state varchar(10) not null default 'unknown' check (state in ('unknown', 'kept', 'burning', 'exhausted')),
  examine_at timestamptz not null default clock_timestamp()
);
create index slo_states_due on slo_states (examine_at);
create index slo_states_of_tenant on slo_states (tenant_id);

-- a new objective is examined at once, one that ended no more
create function follow_slo() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from slo_states where monitor_id = new.id;
  if new.slo is not null then
    insert into slo_states (monitor_id, tenant_id) values (new.id, new.tenant_id);
  end if;
  return null;
end $$;
create trigger monitors_slo_added after insert on monitors for each row when (new.slo is not null)
  execute function follow_slo();
create trigger monitors_slo_changed after update of slo on monitors for each row
  when (new.slo is distinct from old.slo) execute function follow_slo();

insert into slo_states (monitor_id, tenant_id) select id, tenant_id from monitors where slo is not null;
