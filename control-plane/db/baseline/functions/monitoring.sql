create function begin_heartbeat() returns trigger language plpgsql as $$
begin
  insert into heartbeats (check_id, tenant_id, monitor_id) values (new.id, new.tenant_id, new.monitor_id);
  insert into ping_addresses (tenant_id, check_id) values (new.tenant_id, new.id);
  return null;
end $$;

create trigger checks_begin_heartbeat after insert on checks for each row when (new.type = 'cron')
  execute function begin_heartbeat();

create function begin_agent_monitor() returns trigger language plpgsql as $$
begin
  insert into agent_monitors (monitor_id, tenant_id, check_id) values (new.monitor_id, new.tenant_id, new.id);
  return null;
end $$;

create trigger checks_begin_agent_monitor after insert on checks for each row when (new.type = 'agent') execute
  function begin_agent_monitor();
