-- the share of time that a monitor is to be up, over a rolling window: {"target_pct": 99.9, "window_days": 30}
alter table monitors add column slo jsonb,
  add constraint monitors_slo_check check (
    slo is null
    or (slo ->> 'target_pct')::numeric between 50 and 99.999 and (slo ->> 'window_days')::int between 7 and 90
  );
