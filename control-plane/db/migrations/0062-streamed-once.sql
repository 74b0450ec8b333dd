-- A beginning is streamed when it happens, not again when people are notified of it after all.
create or replace function stream_outbox_events() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into stream_events (id, tenant_id, name, payload, at)
  select id, tenant_id, name, payload, created_at from added
  where kind = 'event' and name ~ '^(monitor|warning|dns|certificate|incident)\.'
    and coalesce(suppression->>'stage', '') not in ('released', 'unmuted');
  if found then perform pg_notify('stream', ''); end if;
  return null;
end $$;
