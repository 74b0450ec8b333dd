create function take_grants(p_keys bytea[], p_limits int[], p_wants int[], p_spares int[], p_window int, p_good int,
  p_lend int)
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
      insert into rate_windows as w (key) values (asked.key) on conflict (key) do update set key = excluded.key
        returning w.slots, w.counts into v_slots, v_counts;
    end if;
    v_now := floor(extract(epoch from clock_timestamp()) * 1000);
    select coalesce(array_agg(s.slot order by s.slot), '{}'), coalesce(array_agg(s.n order by s.slot), '{}'),
      coalesce(sum(s.n), 0)
      into v_slots, v_counts, v_used
      from (select u.slot, sum(u.n)::int as n from unnest(v_slots, v_counts) as u(slot, n)
        where u.slot > v_now group by u.slot having sum(u.n) > 0) s;
    place := asked.n;
    granted := least(asked.wants, greatest(0, asked.max - v_used));
    lent := case when granted = asked.wants and asked.spare > 0
      and v_used + granted + asked.spare <= asked.max / 2 then asked.spare else 0 end;
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
      update rate_windows w set slots = v_slots, counts = v_counts, ends_at = greatest(w.ends_at, v_slot, case when
        lent > 0 then lent_until end) where w.key = asked.key;
    end if;
    if granted < asked.wants then
      select min(c.slot) into free_at from (select u.slot, sum(u.n) over (order by u.slot) as freed from
        unnest(v_slots, v_counts) as u(slot, n)) c
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
    update rate_windows w set slots = w.slots || back.slot, counts = w.counts || -back.n where w.key = back.key
      and back.slot = any(w.slots);
  end loop;
end $$;

create function put_grants(p_keys bytea[], p_untils bigint[]) returns void language sql as $$
  insert into rate_windows as w (key, slots, counts, ends_at)
  select u.key, array_agg(u.until), array_agg(1), max(u.until) from unnest(p_keys, p_untils) as u(key, until) group by
    u.key order by u.key
  on conflict (key) do update set slots = w.slots || excluded.slots, counts = w.counts || excluded.counts, ends_at =
    greatest(w.ends_at, excluded.ends_at)
$$;
