import { Migration } from '@mikro-orm/migrations'

/** What the kernel keeps for everybody: answers to be given again. */
export class Kernel extends Migration {
  override up(): void {
    this.addSql(idempotency)
    this.addSql(rates)
    this.addSql(trail)
    this.addSql(usage)
    for (const [table, grants] of Object.entries(appGrants)) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(`grant ${platformGrants[table] ?? 'select, insert, update, delete'} on ${table} to vedette_platform`)
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      if (grants) this.addSql(`grant ${grants} on ${table} to vedette_app`)
    }
    this.addSql(`create policy own_tenant on idempotency_keys to vedette_app
      using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`)
    this.addSql(
      `create policy own_tenant on usage_counters for select to vedette_app using (tenant_id = (select current_tenant()))`,
    )
    this.addSql(chain)
    this.addSql(moments)
  }
}

const appGrants: Record<string, string> = {
  idempotency_keys: 'select, insert, update',
  rate_windows: '',
  audit_heads: '',
  audit_links: '',
  usage_counters: 'select',
}

/** Nobody writes the chain but the database itself. */
const platformGrants: Record<string, string> = { audit_heads: 'select', audit_links: 'select' }

const idempotency = `
create table idempotency_keys (
  tenant_id uuid not null references tenants on delete cascade,
  token_id uuid not null,
  key varchar(255) collate "C" not null,
  fingerprint bytea not null,
  status smallint,
  answer text,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, token_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
`

/** Counts of the last minute: a crash of PostgreSQL forgets them, so nothing is written ahead for them. */
const rates = `
create unlogged table rate_windows (
  key bytea primary key,
  slots bigint[] not null default '{}',
  counts int[] not null default '{}',
  ends_at bigint not null default 0
) with (fillfactor = 50);

create function take_grants(p_keys bytea[], p_limits int[], p_wants int[], p_spares int[], p_window int, p_good int, p_lend int)
returns table (place int, granted int, good_until bigint, lent int, lent_until bigint, remaining int, free_at bigint)
language plpgsql as $$
declare
  asked record;
  v_slots bigint[];
  v_counts int[];
  v_used int;
  v_now bigint;
  v_slot bigint;
begin
  -- in one order for everybody, so that nobody waits in a circle
  for asked in select a.n, a.key, a.max, a.wants, a.spare
    from unnest(p_keys, p_limits, p_wants, p_spares) with ordinality as a(key, max, wants, spare, n) order by a.key
  loop
    select w.slots, w.counts into v_slots, v_counts from rate_windows w where w.key = asked.key for update;
    if not found then
      insert into rate_windows as w (key) values (asked.key) on conflict (key) do update set key = excluded.key returning w.slots, w.counts into v_slots, v_counts;
    end if;
    v_now := floor(extract(epoch from clock_timestamp()) * 1000);
    select coalesce(array_agg(s.slot order by s.slot), '{}'), coalesce(array_agg(s.n order by s.slot), '{}'), coalesce(sum(s.n), 0)
      into v_slots, v_counts, v_used
      from (select u.slot, sum(u.n)::int as n from unnest(v_slots, v_counts) as u(slot, n) where u.slot > v_now group by u.slot having sum(u.n) > 0) s;
    place := asked.n;
    granted := least(asked.wants, greatest(0, asked.max - v_used));
    lent := case when granted = asked.wants and asked.spare > 0 and v_used + granted + asked.spare <= asked.max / 2 then asked.spare else 0 end;
    v_used := v_used + granted + lent;
    v_slot := ceil((v_now + p_good + p_window) / 100.0) * 100;
    good_until := v_slot - p_window;
    lent_until := ceil((v_now + p_lend + p_window) / 100.0) * 100;
    remaining := greatest(0, asked.max - v_used);
    free_at := null;
    if granted > 0 then
      v_slots := v_slots || v_slot;
      v_counts := v_counts || granted;
      if lent > 0 then
        v_slots := v_slots || lent_until;
        v_counts := v_counts || lent;
      end if;
      update rate_windows w set slots = v_slots, counts = v_counts, ends_at = greatest(w.ends_at, v_slot, case when lent > 0 then lent_until end) where w.key = asked.key;
    end if;
    if granted < asked.wants then
      select min(c.slot) into free_at from (select u.slot, sum(u.n) over (order by u.slot) as freed from unnest(v_slots, v_counts) as u(slot, n)) c
        where v_used - c.freed < asked.max;
    end if;
    return next;
  end loop;
end $$;

create function return_grants(p_keys bytea[], p_slots bigint[], p_counts int[]) returns void language plpgsql as $$
declare
  back record;
begin
  for back in select u.key, u.slot, u.n from unnest(p_keys, p_slots, p_counts) as u(key, slot, n) order by u.key loop
    update rate_windows w set slots = w.slots || back.slot, counts = w.counts || -back.n where w.key = back.key and back.slot = any(w.slots);
  end loop;
end $$;

create function put_grants(p_keys bytea[], p_untils bigint[]) returns void language sql as $$
  insert into rate_windows as w (key, slots, counts, ends_at)
  select u.key, array_agg(u.until), array_agg(1), max(u.until) from unnest(p_keys, p_untils) as u(key, until) group by u.key order by u.key
  on conflict (key) do update set slots = w.slots || excluded.slots, counts = w.counts || excluded.counts, ends_at = greatest(w.ends_at, excluded.ends_at)
$$;
`

const usage = `
create table usage_counters (
  tenant_id uuid not null references tenants on delete cascade,
  period date not null,
  metric varchar(40) not null,
  count bigint not null default 0,
  primary key (tenant_id, period, metric)
) with (fillfactor = 70);
`

const trail = `
create table audit_heads (
  tenant_id uuid primary key references tenants on delete cascade,
  seq bigint not null default 0,
  hash bytea not null default '',
  changed_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
create table audit_links (
  tenant_id uuid not null references tenants on delete cascade,
  seq bigint not null,
  entry_id uuid not null,
  is_redaction boolean not null default false,
  ip_salt bytea,
  ip_mark bytea,
  request_salt bytea,
  request_mark bytea,
  changes_salt bytea,
  changes_mark bytea,
  hash bytea not null,
  primary key (tenant_id, seq)
);
create index audit_links_entry on audit_links (entry_id);
`

/**
 * Each entry is a link: its hash covers the one before and the entry. What may have to be taken out of an entry again, because it tells of a person,
 * is covered through a salted mark: without its salt the mark tells nothing, and taking something out is a link of its own.
 * The functions run as their owner, so that neither service role can write a link.
 */
const chain = `
create policy chaining on audit_heads to current_user using (true) with check (true);
create policy chaining on audit_links to current_user using (true) with check (true);
create policy chaining on audit_entries for select to current_user using (true);

create function audit_mark(salt bytea, value text) returns bytea language sql immutable parallel safe as
  $$ select sha256(salt || convert_to(value, 'UTF8')) $$;

create function audit_link_hash(prev bytea, l audit_links, e audit_entries) returns bytea language sql immutable parallel safe as $$
  select sha256(prev || convert_to(case when l.is_redaction then jsonb_build_array(l.tenant_id, l.seq, l.entry_id, 'redaction') else
    jsonb_build_array(l.tenant_id, l.seq, l.entry_id, e.id, e.tenant_id, e.user_id, e.impersonator_id, e.token_id, e.action, e.entity_type, e.entity_id,
      extract(epoch from e.created_at)::text, encode(l.ip_mark, 'hex'), encode(l.request_mark, 'hex'), encode(l.changes_mark, 'hex')) end::text, 'UTF8'))
$$;

create function add_audit_link(l audit_links, e audit_entries) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  prev bytea;
begin
  insert into audit_heads (tenant_id) values (l.tenant_id) on conflict do nothing;
  select h.seq + 1, h.hash into l.seq, prev from audit_heads h where h.tenant_id = l.tenant_id for update;
  l.hash := audit_link_hash(prev, l, e);
  insert into audit_links select l.*;
  update audit_heads set seq = l.seq, hash = l.hash, changed_at = clock_timestamp() where tenant_id = l.tenant_id;
end $$;
revoke execute on function add_audit_link(audit_links, audit_entries) from public;

create function link_audit_entry(e audit_entries) returns void language plpgsql security definer set search_path = public, pg_temp as $$
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
revoke execute on function link_audit_entry(audit_entries) from public;

create function chain_audit_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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

create function redact_audit_entry() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  l audit_links;
begin
  if (new.ip is not null and new.ip is distinct from old.ip) or (new.request_id is not null and new.request_id is distinct from old.request_id)
    or (new.changes is not null and new.changes is distinct from old.changes) then
    raise exception 'audit entries are never edited, only redacted' using errcode = 'insufficient_privilege';
  end if;
  if (new.ip is distinct from old.ip or new.request_id is distinct from old.request_id or new.changes is distinct from old.changes)
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

-- at the commit, so that writers of one trail wait for each other no longer than a commit takes
create constraint trigger chained after insert on audit_entries deferrable initially deferred for each row execute function chain_audit_entry();
create trigger redacted after update on audit_entries for each row execute function redact_audit_entry();
do $$ declare e audit_entries; begin
  for e in select * from audit_entries order by created_at, id loop
    perform link_audit_entry(e);
  end loop;
end $$;

revoke update, delete, truncate on audit_entries from vedette_platform;
grant update (ip, request_id, changes) on audit_entries to vedette_platform;
`

/** Two writes within a millisecond of the API's clock still leave two moments, so that a version is never met twice. */
const moments = `
create function move_moment_on() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at + interval '1 microsecond';
  return new;
end $$;
do $$ declare found record; begin
  for found in select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = 'public' and c.relkind = 'r' and a.attname = 'updated_at' and c.relname not in ('votes')
  loop
    execute format('create trigger move_moment_on before update of updated_at on %I for each row when (new.updated_at <= old.updated_at and new.updated_at > old.updated_at - interval ''1 minute'') execute function move_moment_on()', found.relname);
  end loop;
end $$;
`
