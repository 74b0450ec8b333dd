-- addresses of Healthchecks by ping key and slug lead to a heartbeat beside the one by UUID
alter table ping_aliases drop constraint ping_aliases_kind_check;
alter table ping_aliases add constraint ping_aliases_kind_check
  check (kind in ('healthchecks', 'healthchecks-slug', 'uptime-kuma', 'better-stack'));
