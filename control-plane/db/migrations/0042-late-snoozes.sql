-- finds snoozes that are over
create index checks_snoozed on checks (snoozed_until) where snoozed_until is not null;
