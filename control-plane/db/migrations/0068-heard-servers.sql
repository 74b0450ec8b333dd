-- the machine that a server is bound to, by its name, and another one that reports with the same token
alter table agent_monitors
  add column host_name text,
  -- when this machine reported last, with its name
  add column host_heard_at timestamptz,
  -- values of up to this moment are of the machine before it
  add column host_from timestamptz,
  add column second_host text,
  add column second_since timestamptz,
  add column second_heard_at timestamptz,
  -- the time of the newest value
  add column newest_at timestamptz,
  -- since when even the newest value is more than a minute old when it arrives
  add column late_since timestamptz;
