-- the objectives of monitors by time: a window that ended earlier has the target of then.
-- monitor_id: also of monitors that were deleted since
create table slo_spans (
  monitor_id uuid not null,
  tenant_id uuid not null references tenants on delete cascade,
  since timestamptz not null,
  ended_at timestamptz,
  slo jsonb not null,
  primary key (monitor_id, since)
);
create index slo_spans_of_tenant on slo_spans (tenant_id);

-- changes were not recorded until now: what is set counts from the beginning
insert into slo_spans (monitor_id, tenant_id, since, slo)
select id, tenant_id, created_at, slo from monitors where slo is not null;

create or replace function follow_slo() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_timestamp();
begin
  if tg_op <> 'INSERT' then
    update slo_spans set ended_at = at where monitor_id = old.id and ended_at is null;
  end if;
  if tg_op = 'DELETE' then return null; end if;
  delete from slo_states where monitor_id = new.id;
  if new.slo is not null then
    insert into slo_states (monitor_id, tenant_id) values (new.id, new.tenant_id);
    insert into slo_spans (monitor_id, tenant_id, since, slo) values (new.id, new.tenant_id, at, new.slo);
  end if;
  return null;
end $$;
create trigger monitors_slo_removed after delete on monitors for each row when (old.slo is not null)
  execute function follow_slo();
