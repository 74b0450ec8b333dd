create function audit_mark(salt bytea, value text) returns bytea language sql immutable parallel safe as
  $$ select sha256(salt || convert_to(value, 'UTF8')) $$;

create function audit_link_hash(prev bytea, l audit_links, e audit_entries) returns bytea language sql immutable
  parallel safe as $$
  select sha256(prev || convert_to(case when l.is_redaction then jsonb_build_array(l.tenant_id, l.seq, l.entry_id,
    'redaction') else
    jsonb_build_array(l.tenant_id, l.seq, l.entry_id, e.id, e.tenant_id, e.user_id, e.impersonator_id, e.token_id,
      e.action, e.entity_type, e.entity_id,
      extract(epoch from e.created_at)::text, encode(l.ip_mark, 'hex'), encode(l.request_mark, 'hex'),
        encode(l.changes_mark, 'hex')) end::text, 'UTF8'))
$$;

create function add_audit_link(l audit_links, e audit_entries) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  prev bytea;
begin
  insert into audit_heads (tenant_id) values (l.tenant_id) on conflict do nothing;
  select h.seq + 1, h.hash into l.seq, prev from audit_heads h where h.tenant_id = l.tenant_id for update;
  l.hash := audit_link_hash(prev, l, e);
  insert into audit_links select l.*;
  update audit_heads set seq = l.seq, hash = l.hash, changed_at = clock_timestamp() where tenant_id = l.tenant_id;
end $$;

create function link_audit_entry(e audit_entries) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  l audit_links;
begin
  l.tenant_id := e.tenant_id;
  l.entry_id := e.id;
  l.is_redaction := false;
  if e.ip is not null then
    l.ip_salt := uuid_send(gen_random_uuid());
    l.ip_mark := audit_mark(l.ip_salt, e.ip::text);
  end if;
  if e.request_id is not null then
    l.request_salt := uuid_send(gen_random_uuid());
    l.request_mark := audit_mark(l.request_salt, e.request_id);
  end if;
  if e.changes is not null then
    l.changes_salt := uuid_send(gen_random_uuid());
    l.changes_mark := audit_mark(l.changes_salt, e.changes::text);
  end if;
  perform add_audit_link(l, e);
end $$;

create function chain_audit_entry() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  e audit_entries;
begin
  -- as it is at the end of its transaction, in which its tenant may have gone
  select * into e from audit_entries a where a.id = new.id;
  if found then
    perform link_audit_entry(e);
  end if;
  return null;
end $$;

create constraint trigger chained after insert on audit_entries deferrable initially deferred for each row execute
  function chain_audit_entry();

create function redact_audit_entry() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  l audit_links;
begin
  if (new.ip is not null and new.ip is distinct from old.ip) or (new.request_id is not null
    and new.request_id is distinct from old.request_id)
    or (new.changes is not null and new.changes is distinct from old.changes) then
    raise exception 'audit entries are never edited, only redacted' using errcode = 'insufficient_privilege';
  end if;
  if (new.ip is distinct from old.ip or new.request_id is distinct from old.request_id or new.changes is distinct from
    old.changes)
    and exists (select 1 from audit_links k where k.entry_id = new.id) then
    update audit_links k set
      ip_salt = case when new.ip is null then null else k.ip_salt end,
      request_salt = case when new.request_id is null then null else k.request_salt end,
      changes_salt = case when new.changes is null then null else k.changes_salt end
    where k.entry_id = new.id and not k.is_redaction;
    l.tenant_id := new.tenant_id;
    l.entry_id := new.id;
    l.is_redaction := true;
    perform add_audit_link(l, new);
  end if;
  return null;
end $$;

create trigger redacted after update on audit_entries for each row execute function redact_audit_entry();

create function claim_outbox(kinds text[], most int, for_s int) returns setof outbox language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set
    enable_mergejoin = off as $$
begin
  return query
    with due as materialized (
      select d.id from outbox d
      where d.done_at is null and d.next_at <= clock_timestamp() and d.kind || '' = any(kinds)
        and not exists (
          select 1 from outbox e where coalesce(e.done_at, 'infinity') = 'infinity' and e.kind = 'event'
            and d.kind = 'event'
            and e.payload ->> 'monitor_id' = d.payload ->> 'monitor_id' and e.id + 0 < d.id offset 0)
      order by d.next_at, d.id limit most for update of d skip locked
    )
    update outbox o set next_at = clock_timestamp() + for_s * interval '1 second', attempts = o.attempts + 1
    where o.id = any(array(select due.id from due))
    returning o.*;
end $$;
