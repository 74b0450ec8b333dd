-- plan_after_trial: the plan from the end of the trial; null is free
alter table managed_teams add column plan_after_trial varchar(20);
